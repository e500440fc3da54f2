/// Which layers of a network compute with 8-bit quantized values, and which maps are written quantized.
///
/// A layer computes with quantized values where its archive has the scales of all maps that it reads, or where it reads
/// an input whose values are quantized already. A map is written quantized where only such layers read it; where others
/// read it too, it is written as floats and then quantized.
struct CodePlan: Sendable {
  private var integerNodes: Set<ObjectIdentifier> = []
  private var codes: [ObjectIdentifier: MapCodes] = [:]
  private var readAsFloats: Set<ObjectIdentifier> = []
  private var readAsCodes: Set<ObjectIdentifier> = []
  private var borders: [ObjectIdentifier: Int] = [:]
  private var pooled: Set<ObjectIdentifier> = []

  /// The plan of a network of floats.
  init() {}

  /// - Parameter nodes: All nodes, in topological order; the last one is the output.
  /// - Throws: `DepthError` when a scale cannot be read or is not a positive number.
  init(_ nodes: [Node]) throws {
    for node in nodes {
      if case .input(let codes?) = node.operation { self.codes[ObjectIdentifier(node)] = codes }
    }
    for node in nodes where node.fitsCodes {
      if let step = try node.operation.activationStep() { note(step, of: node.inputs[0]) }
    }
    for node in nodes where node.fitsCodes && node.inputs.count > 1 {
      if let step = try node.operation.residualStep() { note(step, of: node.inputs[1]) }
    }
    for node in nodes {
      let isInteger =
        try node.fitsCodes
        && (node.readsInputCodes || node.operation.activationStep() != nil)
        && node.inputs.allSatisfy { codes[ObjectIdentifier($0)] != nil }
      if isInteger { integerNodes.insert(ObjectIdentifier(node)) }
      if case .slice = node.operation { continue }  // costs nothing: its readers decide
      for input in node.inputs {
        if isInteger {
          readAsCodes.insert(ObjectIdentifier(input))
          borders[ObjectIdentifier(input)] = max(border(of: input), node.borderRead)
        } else {
          readAsFloats.insert(ObjectIdentifier(input))
        }
      }
    }
    if let output = nodes.last { readAsFloats.insert(ObjectIdentifier(output)) }
    for node in nodes {
      // A map whose slices are read in both ways is one of floats.
      if case .slice = node.operation, !isCodesOnly(node) {
        readAsFloats.insert(ObjectIdentifier(node.inputs[0]))
      }
    }
    for node in nodes {
      if case .slice = node.operation, readAsFloats.contains(ObjectIdentifier(node.inputs[0])) {
        readAsFloats.insert(ObjectIdentifier(node))
      }
    }
    for node in nodes {
      if case .maxPool = node.operation { poolCodes(node, among: nodes) }
    }
  }

  /// Pools codes where only codes of the maximum are read: rounding keeps the order, so the convolution before can round.
  private mutating func poolCodes(_ node: Node, among nodes: [Node]) {
    let map = node.inputs[0]
    guard isCodesOnly(node), isInteger(map), case .convolution = map.operation,
      nodes.allSatisfy({ $0 === node || !$0.inputs.contains { $0 === map } })
    else { return }
    integerNodes.insert(ObjectIdentifier(node))
    pooled.insert(ObjectIdentifier(map))
    codes[ObjectIdentifier(map)] = codes[ObjectIdentifier(node)]
    readAsFloats.remove(ObjectIdentifier(map))
    readAsCodes.insert(ObjectIdentifier(map))
  }

  /// The first step that a reader states holds for all readers.
  private mutating func note(_ step: Float, of node: Node) {
    guard codes[ObjectIdentifier(node)] == nil else { return }
    codes[ObjectIdentifier(node)] = MapCodes(step: step, zeroPoint: node.isNonnegative ? 0 : 128)
  }

  private func isCodesOnly(_ node: Node) -> Bool {
    readAsCodes.contains(ObjectIdentifier(node)) && !readAsFloats.contains(ObjectIdentifier(node))
  }

  /// Whether a layer computes with codes.
  func isInteger(_ node: Node) -> Bool { integerNodes.contains(ObjectIdentifier(node)) }

  /// Whether a layer's result is written as codes so that their maximum can be taken.
  func isPooled(_ node: Node) -> Bool { pooled.contains(ObjectIdentifier(node)) }

  /// The codes of a map that some layer reads as codes.
  func codes(of node: Node) -> MapCodes? {
    readAsCodes.contains(ObjectIdentifier(node)) ? codes[ObjectIdentifier(node)] : nil
  }

  /// Pixels around a map of codes: what its readers need.
  func border(of node: Node) -> Int { borders[ObjectIdentifier(node)] ?? 0 }

  /// Whether a layer writes its result as codes; of a layer with slices, whether all of them are.
  func writesCodes(_ node: Node, slices: [Node]) -> Bool {
    guard isInteger(node) else { return false }
    return slices.isEmpty ? isCodesOnly(node) : slices.allSatisfy { isCodesOnly($0) }
  }
}

extension Node {
  /// Whether no value of the result can be negative.
  var isNonnegative: Bool {
    switch operation {
    case .convolution(let step): step.activation.isNonnegative
    case .depthwise(let step): step.activation.isNonnegative
    case .maxPool: inputs[0].isNonnegative
    case .slice(let range):
      if case .upConvolution(let step) = inputs[0].operation {
        step.reluChannels.contains(range.lowerBound)
          && step.reluChannels.contains(range.upperBound - 1)
      } else {
        inputs[0].isNonnegative
      }
    case .input, .upConvolution, .globalContext, .float: false
    }
  }
}

extension Node {
  /// Whether ``CodeConvolution`` or ``CodeDepthwiseConvolution`` can compute the operation: dense kernels of more than 3×3
  /// taps only on a network's input, of which none is known elsewhere, and no exponential function.
  var fitsCodes: Bool {
    switch operation {
    case .convolution(let step):
      step.activation != .exp && !step.readsTokens
        && (step.geometry.largestPadding <= 1 || readsInputCodes)
    case .depthwise(let step): CodeDepthwiseConvolution.canCompute(step.geometry)
    case .upConvolution: true
    case .input, .maxPool, .globalContext, .float, .slice: false
    }
  }

  /// Whether the operation reads an input of whole codes.
  var readsInputCodes: Bool {
    if case .input(.some)? = inputs.first?.operation { true } else { false }
  }

  /// Pixels around the map that the operation reads.
  var borderRead: Int {
    switch operation {
    case .convolution(let step): step.geometry.largestPadding
    case .depthwise(let step): step.geometry.padding
    case .input, .upConvolution, .maxPool, .globalContext, .float, .slice: 1
    }
  }
}

extension Node.Operation {
  fileprivate func activationStep() throws -> Float? { try weights.first?.activationStep() }

  fileprivate func residualStep() throws -> Float? { try weights.first?.residualStep() }
}
