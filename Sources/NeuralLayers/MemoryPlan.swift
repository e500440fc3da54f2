import Kernels
public import Tensors

/// Where every feature map of a run stands, for one input shape: maps that are never needed at the same
/// time share memory, and all steps share one piece of scratch.
public struct MemoryPlan: Sendable, Hashable {
  let input: Tensor.Shape
  let threads: Int
  let maps: [FeatureMap]
  let scratch: Int
  /// Floats of workspace that the run needs.
  let capacity: Int

  /// Bytes of workspace that the run needs.
  public var bytes: Int { capacity * MemoryLayout<Float>.stride }
}

extension Program {
  /// - Precondition: `input` has the channels of the network's input and at least one pixel.
  public func memoryPlan(forInput input: Tensor.Shape, threads: Int) -> MemoryPlan {
    precondition(input.elementCount > 0, "the input is \(input), expected at least one pixel")
    let shapes = self.shapes(forInput: input)
    let lastUse = self.lastUse
    var offsets = [Int](repeating: 0, count: values.count)
    var live: [Int: Range<Int>] = [:]

    /// The lowest gap between live maps.
    func place(_ value: Int) {
      let count = Workspace.aligned(FeatureMap(shape: shapes[value], offset: 0).extent)
      var start = 0
      for taken in live.values.sorted(by: { $0.lowerBound < $1.lowerBound })
      where taken.lowerBound < start + count {
        start = max(start, taken.upperBound)
      }
      offsets[value] = start
      live[value] = start..<start + count
    }

    place(0)
    var top = live[0]?.upperBound ?? 0
    var scratch = 0
    for (index, step) in steps.enumerated() {
      if let residual = step.residual.map(owner), lastUse[residual] == index,
        residual != owner(of: step.input), values[step.residual ?? 0].slice == nil,
        shapes[residual] == shapes[step.output], let range = live.removeValue(forKey: residual)
      {
        // Every element of the residual is read by whoever overwrites it: the sum goes in its place.
        offsets[step.output] = range.lowerBound
        live[step.output] = range
      } else {
        place(step.output)
      }
      top = max(top, live[step.output]?.upperBound ?? 0)
      scratch = max(
        scratch, step.operation.scratchCount(for: shapes[step.input], threads: threads))
      live = live.filter { lastUse[$0.key] > index }
    }
    return MemoryPlan(
      input: input, threads: threads, maps: maps(shapes: shapes, offsets: offsets), scratch: top,
      capacity: top + scratch)
  }

  /// The value that owns a value's memory: itself, or what it is a slice of.
  private func owner(of value: Int) -> Int { values[value].slice?.source ?? value }

  /// For every value the last step that reads it, by itself or through a slice; the result outlives all.
  private var lastUse: [Int] {
    var last = [Int](repeating: -1, count: values.count)
    for (index, step) in steps.enumerated() {
      last[owner(of: step.input)] = index
      if let residual = step.residual { last[owner(of: residual)] = index }
    }
    last[owner(of: output)] = steps.count
    return last
  }

  private func shapes(forInput input: Tensor.Shape) -> [Tensor.Shape] {
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

  private func maps(shapes: [Tensor.Shape], offsets: [Int]) -> [FeatureMap] {
    values.indices.map { index in
      guard let slice = values[index].slice else {
        return FeatureMap(shape: shapes[index], offset: offsets[index])
      }
      return FeatureMap(shape: shapes[slice.source], offset: offsets[slice.source])
        .channels(slice.channels)
    }
  }
}

extension Program.Operation {
  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    switch self {
    case .convolution(let convolution): convolution.geometry.outputShape(for: input)
    case .upConvolution(let convolution): convolution.outputShape(for: input)
    case .maxPool: MaxPooling.outputShape(for: input)
    }
  }

  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    switch self {
    case .convolution(let convolution): convolution.scratchCount(for: input, threads: threads)
    case .upConvolution(let convolution): convolution.scratchCount(for: input, threads: threads)
    case .maxPool: 0
    }
  }
}
