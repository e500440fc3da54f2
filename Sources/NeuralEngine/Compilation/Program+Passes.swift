extension Program {
  /// Consecutive layers that run once over the whole batch, or once per image.
  struct Pass: Sendable, Hashable {
    let layers: Range<Int>
    let isPerImage: Bool
  }

  /// The ratio of a layer's weight bytes to the bytes of one image's maps, above which the layer runs over the
  /// whole batch.
  ///
  /// Above this ratio, reading weights once per batch saves more time than keeping maps in the cache. With
  /// eight photos through FCRN-50, ratios of 50 and more gained 10 %, ratios around 16 gained nothing, and
  /// smaller ratios lost up to 50 %.
  private static let batchedWeightsPerMap = 32

  /// The passes of a run. Layers run over the whole batch from the first to the last layer whose weights are
  /// much larger than its maps; the other layers run per image.
  func passes(forInput input: Tensor.Shape) -> [Pass] {
    guard input.count > 1 else { return [Pass(layers: layers.indices, isPerImage: false)] }
    var image = input
    image.count = 1
    let shapes = self.shapes(forInput: image)
    let heavy = layers.indices.filter { index in
      let layer = layers[index]
      let maps = shapes[layer.input].elementCount + shapes[layer.output].elementCount
      return layer.operation.weightBytes
        >= Self.batchedWeightsPerMap * maps * MemoryLayout<Float>.stride
    }
    let first = heavy.first ?? layers.endIndex
    let last = heavy.last.map { $0 + 1 } ?? layers.endIndex
    return [
      Pass(layers: 0..<first, isPerImage: true),
      Pass(layers: first..<last, isPerImage: false),
      Pass(layers: last..<layers.endIndex, isPerImage: true),
    ].filter { !$0.layers.isEmpty }
  }

  /// The layers during which a value's buffer is in use, and whether the buffer holds one image or the whole
  /// batch.
  struct Lifetime {
    var layers: ClosedRange<Int>
    var isPerImage: Bool
  }

  /// The lifetime of every value that is not a slice.
  ///
  /// A value that enters or leaves a per-image pass holds the whole batch, so its buffer is live for the entire
  /// pass.
  func lifetimes(in passes: [Pass]) -> [Lifetime?] {
    let lastUse = self.lastUse
    var lifetimes = [Lifetime?](repeating: nil, count: values.count)
    func pass(of layer: Int) -> Pass? { passes.first { $0.layers.contains(layer) } }
    lifetimes[0] = Lifetime(layers: 0...max(lastUse[0], 0), isPerImage: false)
    for (index, layer) in layers.enumerated() {
      lifetimes[layer.output] = Lifetime(
        layers: index...max(lastUse[layer.output], index), isPerImage: false)
    }
    for index in values.indices {
      guard var lifetime = lifetimes[index] else { continue }
      let (birth, death) = (lifetime.layers.lowerBound, lifetime.layers.upperBound)
      let (made, used) = (pass(of: birth), pass(of: death))
      if index != 0, made == used {
        lifetime.isPerImage = made?.isPerImage ?? false
      } else {
        let start = made.map { $0.isPerImage ? $0.layers.lowerBound : birth } ?? birth
        let end = used.map { $0.isPerImage ? $0.layers.upperBound - 1 : death } ?? death
        lifetime.layers = start...end
      }
      lifetimes[index] = lifetime
    }
    return lifetimes
  }

  /// The value whose buffer holds `value`: `value` itself, or the source of a slice.
  func owner(of value: Int) -> Int { values[value].slice?.source ?? value }

  /// The last layer that reads each value or a slice of the value. The network's output stays live to the end.
  private var lastUse: [Int] {
    var last = [Int](repeating: -1, count: values.count)
    for (index, layer) in layers.enumerated() {
      last[owner(of: layer.input)] = index
      if let second = layer.second { last[owner(of: second)] = index }
    }
    last[owner(of: output)] = layers.count
    return last
  }

  /// The shapes of all values, in order.
  func shapes(forInput input: Tensor.Shape) -> [Tensor.Shape] {
    var shapes = [Tensor.Shape](repeating: input, count: values.count)
    var layer = layers.makeIterator()
    for (index, value) in values.enumerated().dropFirst() {
      if let slice = value.slice {
        shapes[index] = shapes[slice.source].with(channels: slice.channels.count)
      } else if let layer = layer.next() {
        shapes[index] = layer.operation.outputShape(for: shapes[layer.input])
      }
    }
    return shapes
  }
}

extension Program {
  /// Floats of the largest weights that no layer keeps.
  var packedCount: Int {
    layers.reduce(0) { largest, layer in
      layer.packed == nil
        ? largest : max(largest, layer.operation.weightBytes / MemoryLayout<Float>.stride)
    }
  }
}
