import DepthBase

/// Turns nodes into values and compiled steps, in topological order.
struct Compiler {
  let backend: GEMMBackend
  let codeKernels: CodeInstructionSet
  /// Whether linear layers of tokens compute with codes.
  let quantizesTokens: Bool
  /// Whether weights are packed once, and not before each run.
  private let keepsWeights: Bool
  let bfloat16: BFloat16InstructionSet?
  private let input: Tensor.Shape
  let plan: CodePlan
  let slices: [ObjectIdentifier: [Node]]
  /// How many nodes read a node's map.
  let readers: [ObjectIdentifier: Int]
  var values: [Program.Value] = []
  var steps: [Program.Step] = []
  var shapes: [Tensor.Shape] = []
  /// The value of a node's map as floats and as codes; a node has one of them or both.
  var floats: [ObjectIdentifier: Int] = [:]
  var codes: [ObjectIdentifier: Int] = [:]
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
}
