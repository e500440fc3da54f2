extension Compiler {
  /// Fuses the last layer with its only reader, if ``QuantizedConvolutionPair`` can compute both
  /// layers.
  ///
  /// - Parameter operation: The operation of the next layer.
  /// - Returns: Whether the layer was fused with the last layer.
  mutating func fuse(_ operation: any PreparedOperation, of node: Node) -> Bool {
    // The order of OpenBLAS's sums may depend on the number of pixels.
    if case .openBLAS = backend { return false }
    guard let second = operation as? Convolution, second.algorithm == .tapSum,
      let before = layers.last, let first = before.operation as? QuantizedConvolution,
      !first.isUpConvolution, node.inputs.count == 1,
      readers[ObjectIdentifier(node.inputs[0])] == 1,
      floats[ObjectIdentifier(node.inputs[0])] == before.output, before.output == values.count - 1
    else { return false }
    let pair = QuantizedConvolutionPair(first, second)
    removeLast(of: node.inputs[0])
    let index = append(node.name, pair.outputShape(for: shapes[before.input]))
    floats[ObjectIdentifier(node)] = index
    layers.append(
      .init(
        name: "\(before.name)+\(node.layer)", operation: pair, input: before.input,
        second: before.second, output: index))
    return true
  }

  /// Removes the last layer and its result.
  private mutating func removeLast(of node: Node) {
    layers.removeLast()
    values.removeLast()
    shapes.removeLast()
    floats[ObjectIdentifier(node)] = nil
  }
}
