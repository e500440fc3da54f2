package import ThreadTeams

extension Node {
  /// Compiles the network that ends in this node: chooses an algorithm for each layer and packs its
  /// weights.
  ///
  /// - Parameters:
  ///   - input: The usual shape of the input, for which algorithms are chosen; the program accepts
  ///     others.
  ///   - backend: The matrix-multiplication back end.
  ///   - threads: Threads that read and transform weights.
  /// - Throws: `DepthError` when a kernel cannot be read or is not finite.
  package func compiled(
    forInput input: Tensor.Shape, backend: GEMMBackend = .best, threads: Int
  ) throws -> Program {
    try compiled(forInput: input, backend: backend, call: CallContext(threads: threads))
  }

  /// ``compiled(forInput:backend:threads:)`` that can be cancelled between kernels.
  ///
  /// - Throws: `DepthError` as that; `CancellationError`.
  package func compiled(
    forInput input: Tensor.Shape, backend: GEMMBackend, call: CallContext
  ) throws -> Program {
    try ThreadTeam.run(threads: call.threads) { team in
      var compiler = Compiler(input: input, backend: backend)
      let nodes = ordered()
      var readAhead = ReadAhead(nodes)
      for (index, node) in nodes.enumerated() {
        try call.reach(Double(index) / Double(nodes.count))
        try readAhead.reach(node, call: call, on: team)
        try compiler.add(node, on: team)
        for weights in node.operation.weights { weights.forget() }
      }
      return Program(
        values: compiler.values, steps: compiler.steps, output: nodes.count - 1,
        backend: backend)
    }
  }

  /// This node and everything it depends on, in topological order.
  func ordered() -> [Node] {
    var order: [Node] = []
    var seen: Set<ObjectIdentifier> = []
    func visit(_ node: Node) {
      guard seen.insert(ObjectIdentifier(node)).inserted else { return }
      node.inputs.forEach(visit)
      order.append(node)
    }
    visit(self)
    return order
  }
}

extension Node.Operation {
  /// The weights that compiling the operation reads.
  var weights: [ConvolutionWeights] {
    switch self {
    case .convolution(let step): [step.weights]
    case .upConvolution(let step): step.phases.flatMap { $0 }
    case .input, .maxPool, .slice: []
    }
  }
}

/// Decompresses the kernels of the next layers in parallel.
private struct ReadAhead {
  /// Values decompressed ahead at most, unless a single layer has more.
  private static let largestCount = 8 << 20
  private var pending: ArraySlice<Node>
  private var ready: Set<ObjectIdentifier> = []

  init(_ nodes: [Node]) { pending = nodes[...] }

  /// Reads a group of layers when compilation reaches the first of them.
  ///
  /// - Throws: `DepthError` when a kernel cannot be read; `CancellationError`.
  mutating func reach(_ node: Node, call: CallContext, on team: ThreadTeam) throws {
    guard !ready.contains(ObjectIdentifier(node)) else { return }
    var group: [ConvolutionWeights] = []
    var count = 0
    while let next = pending.first, group.isEmpty || count < Self.largestCount {
      pending.removeFirst()
      ready.insert(ObjectIdentifier(next))
      let packed = next.operation.weights.filter { $0.readAheadCount > 0 }
      count += packed.reduce(0) { $0 + $1.readAheadCount }
      group += packed
    }
    let weights = group
    try team.forEachThrowing(weights.count) { index in
      try call.cancellation?.check()
      try weights[index].readAhead()
    }
  }
}

/// Turns nodes into values and compiled steps, in topological order.
private struct Compiler {
  let input: Tensor.Shape
  let backend: GEMMBackend
  var values: [Program.Value] = []
  var steps: [Program.Step] = []
  private var shapes: [Tensor.Shape] = []
  private var indices: [ObjectIdentifier: Int] = [:]

  init(input: Tensor.Shape, backend: GEMMBackend) {
    (self.input, self.backend) = (input, backend)
  }

  /// Adds a node whose inputs have been added.
  ///
  /// - Throws: `DepthError` when a kernel cannot be read or is not finite.
  mutating func add(_ node: Node, on team: ThreadTeam) throws {
    let inputs = node.inputs.compactMap { indices[ObjectIdentifier($0)] }
    precondition(inputs.count == node.inputs.count, "\(node.layer) comes before what it reads")
    var slice: (source: Int, channels: Range<Int>)?
    let shape: Tensor.Shape
    let operation: Program.Operation?
    switch node.operation {
    case .input:
      (shape, operation) = (input, nil)
    case .slice(let range):
      slice = (inputs[0], range)
      var cut = shapes[inputs[0]]
      cut.channels = range.count
      (shape, operation) = (cut, nil)
    case .convolution(let step):
      let convolution = try step.prepared(
        forInput: shapes[inputs[0]], backend: backend, on: team)
      shape = convolution.geometry.outputShape(for: shapes[inputs[0]])
      operation = .convolution(convolution)
    case .upConvolution(let step):
      let convolution = try step.prepared(
        forInput: shapes[inputs[0]], backend: backend, on: team)
      shape = convolution.outputShape(for: shapes[inputs[0]])
      operation = .upConvolution(convolution)
    case .maxPool:
      let pooling = MaxPooling(backend: backend)
      (shape, operation) = (MaxPooling.outputShape(for: shapes[inputs[0]]), .maxPool(pooling))
    }
    let index = values.count
    values.append(.init(name: node.name, channels: node.channels, slice: slice))
    shapes.append(shape)
    indices[ObjectIdentifier(node)] = index
    if let operation {
      steps.append(
        .init(
          layer: node.layer, operation: operation, input: inputs[0],
          residual: inputs.dropFirst().first, output: index))
    }
  }
}

extension ConvolutionStep {
  fileprivate func prepared(
    forInput input: Tensor.Shape, backend: GEMMBackend, on team: ThreadTeam
  ) throws -> Convolution {
    try Convolution(
      geometry, kernels: weights.rows, bias: weights.bias, activation: activation,
      algorithm: .best(for: geometry, input: input, on: backend.instructionSet),
      backend: backend, on: team)
  }
}

extension UpConvolutionStep {
  fileprivate func prepared(
    forInput input: Tensor.Shape, backend: GEMMBackend, on team: ThreadTeam
  ) throws -> UpConvolution {
    let rows = phases.indices.map { self.rows(of: UpConvolution.Phase.allCases[$0]) }
    return try UpConvolution(
      inputChannels: inputChannels, outputChannels: outputChannels, padding: padding,
      kernels: { rows[$0.index] }, bias: phases.flatMap { $0.flatMap(\.bias) },
      reluChannels: reluChannels,
      tile: WinogradTiles.best(
        for: .init(.upConvolution, inputChannels, outputChannels, pixels: input.area),
        on: backend.instructionSet),
      backend: backend, on: team)
  }
}
