import DepthBase

/// Maps that are written quantized.
extension Compiler {
  /// Adds the layer that quantizes a map of floats.
  mutating func quantize(_ node: Node, _ index: Int, _ map: MapQuantization) {
    let result = append(
      "\(node.name) int8", shapes[index],
      quantization: [MapQuantization](repeating: map, count: node.channels),
      border: plan.border(of: node))
    quantized[ObjectIdentifier(node)] = result
    layers.append(
      .init(
        name: node.name,
        operation: Quantization(quantization: map, instructionSet: int8 ?? .baseline),
        input: index, second: nil, output: result))
  }

  /// Pixels around a layer's quantized result: the most that any reader of the result or its slices
  /// requires.
  func border(of node: Node) -> Int {
    let parts = slices[ObjectIdentifier(node)] ?? []
    return parts.reduce(plan.border(of: node)) { max($0, plan.border(of: $1)) }
  }

  /// The quantization of each channel of a layer's result; `nil` for a float result.
  func writtenQuantization(_ node: Node) -> [MapQuantization]? {
    let slices = self.slices[ObjectIdentifier(node)] ?? []
    guard plan.writesQuantized(node, slices: slices) else { return nil }
    let none = MapQuantization(scale: 1, zeroPoint: 0)
    guard !slices.isEmpty else {
      return [MapQuantization](
        repeating: plan.quantization(of: node) ?? none, count: node.channels)
    }
    var written = [MapQuantization](repeating: none, count: node.channels)
    for slice in slices {
      guard let range = slice.sliced, let quantization = plan.quantization(of: slice) else {
        continue
      }
      for channel in range { written[channel] = quantization }
    }
    return written
  }
}
