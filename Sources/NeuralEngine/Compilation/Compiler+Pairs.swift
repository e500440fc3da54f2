extension Compiler {
  /// Makes one step of the last step and a layer that alone reads its result, where ``CodeConvolutionPair`` can compute both.
  ///
  /// - Parameter operation: The layer's.
  /// - Returns: Whether the layer has become part of a step.
  mutating func join(_ operation: Program.Operation, of node: Node) -> Bool {
    // OpenBLAS may sum in an order that depends on the number of pixels.
    if case .openBLAS = backend { return false }
    guard case .convolution(let second) = operation, second.algorithm == .tapSum,
      let before = steps.last, case .codeConvolution(let first) = before.operation,
      !first.isUpConvolution, node.inputs.count == 1,
      readers[ObjectIdentifier(node.inputs[0])] == 1,
      floats[ObjectIdentifier(node.inputs[0])] == before.output, before.output == values.count - 1
    else { return false }
    let pair = CodeConvolutionPair(first, second)
    removeLast(of: node.inputs[0])
    let index = append(node.name, pair.outputShape(for: shapes[before.input]))
    floats[ObjectIdentifier(node)] = index
    steps.append(
      .init(
        layer: "\(before.layer)+\(node.layer)", operation: .codePair(pair), input: before.input,
        residual: before.residual, output: index))
    return true
  }

  /// Takes back the last step and its result.
  private mutating func removeLast(of node: Node) {
    steps.removeLast()
    values.removeLast()
    shapes.removeLast()
    floats[ObjectIdentifier(node)] = nil
  }
}
