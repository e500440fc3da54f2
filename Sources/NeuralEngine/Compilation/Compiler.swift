import SIMDKernels
import ThreadTeams

/// Turns nodes into values and compiled steps, in topological order.
struct Compiler {
  let backend: GEMMBackend
  let codeKernels: CodeInstructionSet
  /// Whether linear layers of tokens compute with codes.
  private let quantizesTokens: Bool
  /// Whether weights are packed once, and not before each run.
  private let keepsWeights: Bool
  private let bfloat16: BFloat16InstructionSet?
  private let input: Tensor.Shape
  private let plan: CodePlan
  private let slices: [ObjectIdentifier: [Node]]
  /// How many nodes read a node's map.
  let readers: [ObjectIdentifier: Int]
  var values: [Program.Value] = []
  var steps: [Program.Step] = []
  var shapes: [Tensor.Shape] = []
  /// The value of a node's map as floats and as codes; a node has one of them or both.
  var floats: [ObjectIdentifier: Int] = [:]
  private var codes: [ObjectIdentifier: Int] = [:]
  /// Packs the kernels of layers on codes; to be run once all nodes are added, if not before.
  var packing = DeferredPacking(sharesMemory: true)
  /// The value of the node that was added last.
  private(set) var output = 0

  /// - Parameters:
  ///   - input: The usual shape of the network's input.
  ///   - nodes: All nodes that will be added.
  init(
    input: Tensor.Shape, backend: GEMMBackend, codeKernels: CodeInstructionSet,
    quantizesTokens: Bool = false, plan: CodePlan, bfloat16: BFloat16InstructionSet? = nil,
    nodes: [Node], keepsWeights: Bool
  ) {
    (self.input, self.backend, self.bfloat16) = (input, backend, bfloat16)
    self.keepsWeights = keepsWeights
    (self.codeKernels, self.plan) = (codeKernels, plan)
    self.quantizesTokens = quantizesTokens
    var slices: [ObjectIdentifier: [Node]] = [:]
    var readers: [ObjectIdentifier: Int] = [:]
    for node in nodes {
      for input in node.inputs { readers[ObjectIdentifier(input), default: 0] += 1 }
      if case .slice = node.operation {
        slices[ObjectIdentifier(node.inputs[0]), default: []].append(node)
      }
    }
    (self.slices, self.readers) = (slices, readers)
  }

  /// Adds a node whose inputs have been added.
  ///
  /// - Throws: `DepthError` when a kernel cannot be read or is not finite.
  mutating func add(_ node: Node, on team: ThreadTeam) throws {
    let isInteger = plan.isInteger(node)
    let sources = isInteger ? codes : floats
    switch node.operation {
    case .input:
      floats[ObjectIdentifier(node)] = append(node.name, input)
    case .slice(let range):
      addSlice(node, range)
    case .convolution, .upConvolution, .maxPool, .depthwise, .globalContext, .float:
      let inputs = node.inputs.compactMap { sources[ObjectIdentifier($0)] }
      precondition(inputs.count == node.inputs.count, "\(node.layer) comes before what it reads")
      let written = isInteger ? writtenCodes(node) : nil
      let shape = shapes[inputs[0]]
      let packs =
        !keepsWeights && !isInteger && bfloat16 == nil && node.operation.canPackLate
        && !(quantizesTokens && node.readsTokens)
      let operation =
        isInteger
        ? try codeOperation(node, written: written)
        : try tokenOperation(node, on: team)
          ?? node.floatOperation(
            reading: shape, backend: backend, bfloat16: bfloat16, place: packs ? .later : .own,
            on: team)
      if join(operation, of: node) { break }
      let index = append(
        node.name, operation.outputShape(for: shapes[inputs[0]]), codes: written,
        border: written == nil ? 1 : border(of: node))
      if written == nil {
        floats[ObjectIdentifier(node)] = index
      } else {
        codes[ObjectIdentifier(node)] = index
      }
      steps.append(
        .init(
          layer: node.layer, operation: operation,
          packed: packs ? node.packing(reading: shape, backend: backend) : nil, input: inputs[0],
          residual: inputs.dropFirst().first, output: index))
    }
    if let index = floats[ObjectIdentifier(node)] {
      output = index
      if let codes = plan.codes(of: node) { quantize(node, index, codes) }
    }
  }

  mutating func append(
    _ name: String, _ shape: Tensor.Shape, slice: (source: Int, channels: Range<Int>)? = nil,
    codes: [MapCodes]? = nil, border: Int = 1
  ) -> Int {
    values.append(
      .init(name: name, channels: shape.channels, slice: slice, codes: codes, border: border))
    shapes.append(shape)
    return values.count - 1
  }

  private mutating func addSlice(_ node: Node, _ range: Range<Int>) {
    let whole = ObjectIdentifier(node.inputs[0])
    if let source = codes[whole] {
      codes[ObjectIdentifier(node)] = appendSlice(node, of: source, range)
    } else if let source = floats[whole] {
      floats[ObjectIdentifier(node)] = appendSlice(node, of: source, range)
    } else {
      preconditionFailure("\(node.name) comes before what it is part of")
    }
  }

  private mutating func appendSlice(_ node: Node, of source: Int, _ range: Range<Int>) -> Int {
    var shape = shapes[source]
    shape.channels = range.count
    return append(
      node.name, shape, slice: (source, range), codes: values[source].codes.map { Array($0[range]) }
    )
  }

  /// Adds the step that writes a map of floats as codes.
  private mutating func quantize(_ node: Node, _ index: Int, _ map: MapCodes) {
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
  private func border(of node: Node) -> Int {
    let parts = slices[ObjectIdentifier(node)] ?? []
    return parts.reduce(plan.border(of: node)) { max($0, plan.border(of: $1)) }
  }

  /// The codes of each channel of a layer's result; `nil` where it is written as floats.
  private func writtenCodes(_ node: Node) -> [MapCodes]? {
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
  private func tokenOperation(_ node: Node, on team: ThreadTeam) throws -> Program.Operation? {
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

  private mutating func codeOperation(
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

extension Node {
  /// Whether it is a linear layer of tokens.
  fileprivate var readsTokens: Bool {
    if case .convolution(let step) = operation { step.readsTokens } else { false }
  }

  /// The layer on floats.
  ///
  /// - Parameters:
  ///   - shape: The usual shape of what it reads.
  ///   - place: Where its weights go.
  /// - Throws: `DepthError` when a kernel cannot be read or is not finite.
  fileprivate func floatOperation(
    reading shape: Tensor.Shape, backend: GEMMBackend, bfloat16: BFloat16InstructionSet?,
    place: WeightPlace, on team: ThreadTeam
  ) throws -> Program.Operation {
    switch operation {
    case .convolution(let step):
      .convolution(
        try step.prepared(
          forInput: shape, addsMap: inputs.count > 1, backend: backend, bfloat16: bfloat16,
          place: place, on: team))
    case .upConvolution(let step):
      .upConvolution(
        try step.prepared(
          forInput: shape, backend: backend, bfloat16: bfloat16, place: place, on: team))
    case .maxPool: .maxPool(MaxPooling(backend: backend))
    case .depthwise(let step): .depthwise(try step.prepared(on: backend.instructionSet))
    case .globalContext(let step): .globalContext(try step.prepared())
    case .float(let layer):
      .float(
        try layer.prepared(forInput: shape, backend: backend, bfloat16: bfloat16, on: team))
    case .input, .slice: preconditionFailure("\(layer) computes nothing")
    }
  }
}

extension Node {
  /// What packs the weights of the layer on floats before a run of it.
  ///
  /// - Parameter shape: The usual shape of what it reads.
  fileprivate func packing(reading shape: Tensor.Shape, backend: GEMMBackend) -> Program.Packing {
    { place, team in
      try self.floatOperation(
        reading: shape, backend: backend, bfloat16: nil, place: place, on: team)
    }
  }
}

extension Node.Operation {
  /// Whether its kernels can be read again for each run, a few channels at a time, and are large enough for it to matter.
  fileprivate var canPackLate: Bool {
    switch self {
    case .convolution, .upConvolution: weights.allSatisfy { $0.readAheadCount == 0 }
    case .input, .maxPool, .depthwise, .globalContext, .float, .slice: false
    }
  }
}
