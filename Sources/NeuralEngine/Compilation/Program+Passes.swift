extension Program {
  /// Consecutive steps that run once over the whole batch, or once per image.
  struct Pass: Sendable, Hashable {
    let steps: Range<Int>
    let isPerImage: Bool
  }

  /// Ratio of a step's weights to one image's feature maps, in bytes, above which the step runs
  /// over the whole batch.
  ///
  /// Reading large weights once per batch then saves more time than keeping small maps in the
  /// cache. Measured with eight photos through FCRN-50: layers with a ratio of 50 and more gained
  /// 10 %, those around 16 nothing, and those below lost up to 50 %.
  private static let batchedWeightsPerMap = 32

  /// The passes of a run: per image where maps are large, and over the whole batch between the
  /// first and the last step whose weights are much larger than its maps.
  func passes(forInput input: Tensor.Shape) -> [Pass] {
    guard input.count > 1 else { return [Pass(steps: steps.indices, isPerImage: false)] }
    var image = input
    image.count = 1
    let shapes = self.shapes(forInput: image)
    let heavy = steps.indices.filter { index in
      let step = steps[index]
      let maps = shapes[step.input].elementCount + shapes[step.output].elementCount
      return step.operation.weightBytes
        >= Self.batchedWeightsPerMap * maps * MemoryLayout<Float>.stride
    }
    let first = heavy.first ?? steps.endIndex
    let last = heavy.last.map { $0 + 1 } ?? steps.endIndex
    return [
      Pass(steps: 0..<first, isPerImage: true),
      Pass(steps: first..<last, isPerImage: false),
      Pass(steps: last..<steps.endIndex, isPerImage: true),
    ].filter { !$0.steps.isEmpty }
  }

  /// The steps during which a value's buffer is in use, and whether it holds one image or the whole
  /// batch.
  struct Lifetime {
    var steps: ClosedRange<Int>
    var isPerImage: Bool
  }

  /// The lifetime of every value that is not a slice.
  ///
  /// A value that enters or leaves a per-image pass holds all images of the batch, so its buffer is
  /// live for the whole pass.
  func lifetimes(in passes: [Pass]) -> [Lifetime?] {
    let lastUse = self.lastUse
    var lifetimes = [Lifetime?](repeating: nil, count: values.count)
    func pass(of step: Int) -> Pass? { passes.first { $0.steps.contains(step) } }
    lifetimes[0] = Lifetime(steps: 0...max(lastUse[0], 0), isPerImage: false)
    for (index, step) in steps.enumerated() {
      lifetimes[step.output] = Lifetime(
        steps: index...max(lastUse[step.output], index), isPerImage: false)
    }
    for index in values.indices {
      guard var lifetime = lifetimes[index] else { continue }
      let (birth, death) = (lifetime.steps.lowerBound, lifetime.steps.upperBound)
      let (made, used) = (pass(of: birth), pass(of: death))
      if index != 0, made == used {
        lifetime.isPerImage = made?.isPerImage ?? false
      } else {
        let start = made.map { $0.isPerImage ? $0.steps.lowerBound : birth } ?? birth
        let end = used.map { $0.isPerImage ? $0.steps.upperBound - 1 : death } ?? death
        lifetime.steps = start...end
      }
      lifetimes[index] = lifetime
    }
    return lifetimes
  }

  /// The value whose buffer holds `value`: itself, or the value that it is a slice of.
  func owner(of value: Int) -> Int { values[value].slice?.source ?? value }

  /// For each value, the last step that reads it or a slice of it; the network's output is never
  /// released.
  private var lastUse: [Int] {
    var last = [Int](repeating: -1, count: values.count)
    for (index, step) in steps.enumerated() {
      last[owner(of: step.input)] = index
      if let residual = step.residual { last[owner(of: residual)] = index }
    }
    last[owner(of: output)] = steps.count
    return last
  }

  /// The shapes of all values, in order.
  func shapes(forInput input: Tensor.Shape) -> [Tensor.Shape] {
    var shapes = [Tensor.Shape](repeating: input, count: values.count)
    var step = steps.makeIterator()
    for (index, value) in values.enumerated().dropFirst() {
      if let slice = value.slice {
        shapes[index] = shapes[slice.source]
        shapes[index].channels = slice.channels.count
      } else if let step = step.next() {
        shapes[index] = step.operation.outputShape(for: shapes[step.input])
      }
    }
    return shapes
  }
}

extension Program {
  /// Floats of the largest weights that a step does not keep.
  var packedCount: Int {
    steps.reduce(0) { largest, step in
      step.packed == nil
        ? largest : max(largest, step.operation.weightBytes / MemoryLayout<Float>.stride)
    }
  }
}

extension Program.Operation {
  /// Bytes of the packed weights.
  var weightBytes: Int {
    switch self {
    case .convolution(let convolution): convolution.weightBytes
    case .upConvolution(let convolution): convolution.weightBytes
    case .codeConvolution(let convolution): convolution.weightBytes
    case .depthwise(let convolution): convolution.weightBytes
    case .codeDepthwise(let convolution): convolution.weightBytes
    case .codePair(let pair): pair.weightBytes
    case .globalContext(let context): context.weightBytes
    case .float(let layer): layer.weightBytes
    case .maxPool, .codeMaxPool, .quantization: 0
    }
  }
}
