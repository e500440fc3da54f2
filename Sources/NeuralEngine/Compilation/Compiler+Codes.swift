import DepthBase

/// Layers that compute with codes.
extension Compiler {
  /// Adds the step that writes a map of floats as codes.
  mutating func quantize(_ node: Node, _ index: Int, _ map: MapCodes) {
    let result = append(
      "\(node.name) codes", shapes[index],
      codes: [MapCodes](repeating: map, count: node.channels), border: plan.border(of: node))
    codes[ObjectIdentifier(node)] = result
    steps.append(
      .init(
        layer: node.name, operation: .quantization(.init(map, instructionSet: codeKernels)),
        input: index, residual: nil, output: result))
  }

  /// Pixels around a layer's result as codes: what the readers of all its slices need.
  func border(of node: Node) -> Int {
    let parts = slices[ObjectIdentifier(node)] ?? []
    return parts.reduce(plan.border(of: node)) { max($0, plan.border(of: $1)) }
  }

  /// The codes of each channel of a layer's result; `nil` where it is written as floats.
  func writtenCodes(_ node: Node) -> [MapCodes]? {
    let slices = self.slices[ObjectIdentifier(node)] ?? []
    guard plan.writesCodes(node, slices: slices) else { return nil }
    let none = MapCodes(step: 1, zeroPoint: 0)
    guard !slices.isEmpty else {
      return [MapCodes](repeating: plan.codes(of: node) ?? none, count: node.channels)
    }
    var written = [MapCodes](repeating: none, count: node.channels)
    for slice in slices {
      guard case .slice(let range) = slice.operation, let codes = plan.codes(of: slice) else {
        continue
      }
      for channel in range { written[channel] = codes }
    }
    return written
  }

  /// A linear layer on codes of tokens, or attention with codes of queries and keys; `nil` for all other layers, and where floats are
  /// asked for.
  func tokenOperation(_ node: Node, on team: ThreadTeam) throws -> Program.Operation? {
    guard quantizesTokens else { return nil }
    switch node.operation {
    case .convolution(let step) where step.readsTokens:
      return .float(try step.preparedForTokens(instructionSet: codeKernels, on: team))
    case .float(let layer as SelfAttention):
      return .float(
        SelfAttention(heads: layer.heads, bfloat16: bfloat16, codes: codeKernels))
    default: return nil
    }
  }

  mutating func codeOperation(
    _ node: Node, written: [MapCodes]?
  ) throws -> Program.Operation {
    let read = node.inputs.compactMap { plan.codes(of: $0) }
    switch node.operation {
    case .convolution(let step):
      var codes = CodeConvolution.Codes(
        input: read[0], output: written?.first, residual: read.dropFirst().first)
      codes.roundsToFloats = plan.isPooled(node)
      codes.readsRows = node.readsInputCodes && node.inputs[0].channels == 3
      return .codeConvolution(
        try step.prepared(codes: codes, instructionSet: codeKernels, packing: &packing))
    case .upConvolution(let step):
      return .codeConvolution(
        try step.prepared(
          input: read[0], output: written, instructionSet: codeKernels, packing: &packing))
    case .depthwise(let step):
      return .codeDepthwise(
        try step.prepared(
          codes: .init(input: read[0], output: written?.first), instructionSet: codeKernels,
          packing: &packing))
    case .maxPool: return .codeMaxPool(.init(read[0], instructionSet: codeKernels))
    case .input, .globalContext, .float, .slice:
      preconditionFailure("\(node.layer) does not compute with codes")
    }
  }
}
