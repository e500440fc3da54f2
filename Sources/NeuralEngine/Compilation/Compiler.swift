import DepthBase

/// Converts nodes to values and compiled layers, in topological order.
struct Compiler {
  let backend: GEMMBackend
  /// The instruction set of integer layers; `nil` if all layers compute with floats.
  let int8: Int8InstructionSet?
  /// Whether weights are packed once instead of before each run.
  private let keepsWeights: Bool
  private let input: Tensor.Shape
  let plan: QuantizationPlan
  let slices: [ObjectIdentifier: [Node]]
  /// Number of nodes that read each node's map.
  let readers: [ObjectIdentifier: Int]
  var values: [Program.Value] = []
  var layers: [Program.Layer] = []
  var shapes: [Tensor.Shape] = []
  /// The value of each node's map as floats, and the quantized value. A node has one or both values.
  var floats: [ObjectIdentifier: Int] = [:]
  var quantized: [ObjectIdentifier: Int] = [:]
  /// Packs the kernels of quantized layers, at the latest after the last node is added.
  var packing = DeferredPacking(sharesMemory: true)
  /// The value of the node that was added last.
  private(set) var output = 0

  /// - Parameters:
  ///   - input: The usual shape of the network's input.
  ///   - nodes: All nodes that will be added.
  init(
    input: Tensor.Shape, backend: GEMMBackend, int8: Int8InstructionSet?, plan: QuantizationPlan,
    nodes: [Node], keepsWeights: Bool
  ) {
    (self.input, self.backend, self.int8) = (input, backend, int8)
    (self.keepsWeights, self.plan) = (keepsWeights, plan)
    var slices: [ObjectIdentifier: [Node]] = [:]
    var readers: [ObjectIdentifier: Int] = [:]
    for node in nodes {
      for input in node.inputs { readers[ObjectIdentifier(input), default: 0] += 1 }
      if node.sliced != nil { slices[ObjectIdentifier(node.inputs[0]), default: []].append(node) }
    }
    (self.slices, self.readers) = (slices, readers)
  }

  /// Adds a node whose inputs have been added.
  ///
  /// - Throws: `DepthError` when a kernel cannot be read or is not finite.
  mutating func add(_ node: Node, on team: ThreadTeam) throws {
    switch node.content {
    case .input: floats[ObjectIdentifier(node)] = append(node.name, input)
    case .slice(let range): addSlice(node, range)
    case .operation(let operation): try add(operation, of: node, on: team)
    }
    if let index = floats[ObjectIdentifier(node)] {
      output = index
      if let quantization = plan.quantization(of: node) { quantize(node, index, quantization) }
    }
  }

  private mutating func add(
    _ operation: any Operation, of node: Node, on team: ThreadTeam
  ) throws {
    let isInteger = plan.isInteger(node)
    let sources = isInteger ? quantized : floats
    let inputs = node.inputs.compactMap { sources[ObjectIdentifier($0)] }
    precondition(inputs.count == node.inputs.count, "\(node.layer) comes before what it reads")
    let written = isInteger ? writtenQuantization(node) : nil
    let (shape, backend, int8) = (shapes[inputs[0]], backend, int8)
    // Only an archive that reads a few channels at a time can read kernels again for each run.
    let packsLate =
      !keepsWeights && !isInteger && operation.packsWeights
      && operation.weights.allSatisfy { $0.readAheadCount == 0 }
      && !(int8 != nil && operation.measuredScale != .none)
    let (readsSecond, isNonnegative) = (inputs.count > 1, node.inputs[0].isNonnegative)
    let prepare: Program.Packing = { place, team in
      try operation.prepared(
        Preparation(
          input: shape, readsSecond: readsSecond, isNonnegative: isNonnegative, backend: backend,
          int8: int8, place: place, team: team))
    }
    let prepared =
      isInteger
      ? try operation.prepared(
        plan.quantizations(of: node, output: written), instructionSet: int8 ?? .baseline,
        packing: &packing)
      : try prepare(packsLate ? .later : .own, team)
    if fuse(prepared, of: node) { return }
    let index = append(
      node.name, prepared.outputShape(for: shape), quantization: written,
      border: written == nil ? 1 : border(of: node))
    if written == nil {
      floats[ObjectIdentifier(node)] = index
    } else {
      quantized[ObjectIdentifier(node)] = index
    }
    layers.append(
      .init(
        name: node.layer, operation: prepared, packed: packsLate ? prepare : nil,
        input: inputs[0], second: inputs.dropFirst().first, output: index))
  }

  mutating func append(
    _ name: String, _ shape: Tensor.Shape, slice: (source: Int, channels: Range<Int>)? = nil,
    quantization: [MapQuantization]? = nil, border: Int = 1
  ) -> Int {
    values.append(
      .init(
        name: name, channels: shape.channels, slice: slice, quantization: quantization,
        border: border))
    shapes.append(shape)
    return values.count - 1
  }

  private mutating func addSlice(_ node: Node, _ range: Range<Int>) {
    let whole = ObjectIdentifier(node.inputs[0])
    if let source = quantized[whole] {
      quantized[ObjectIdentifier(node)] = appendSlice(node, of: source, range)
    } else if let source = floats[whole] {
      floats[ObjectIdentifier(node)] = appendSlice(node, of: source, range)
    } else {
      preconditionFailure("\(node.name) comes before what it is part of")
    }
  }

  private mutating func appendSlice(_ node: Node, of source: Int, _ range: Range<Int>) -> Int {
    append(
      node.name, shapes[source].with(channels: range.count), slice: (source, range),
      quantization: values[source].quantization.map { Array($0[range]) })
  }
}
