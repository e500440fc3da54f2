import ThreadTeams

extension Node {
  /// Prepares the network that ends in this node.
  ///
  /// - Parameters:
  ///   - input: The input's shape in ordinary use, by which algorithms are chosen; any other works too.
  ///   - products: Who multiplies matrices.
  ///   - threads: Threads that read and transform weights.
  /// - Throws: ``DepthError`` when a kernel cannot be read or is not finite.
  public func compiled(
    forInput input: Tensor.Shape, products: Products = .best, threads: Int
  ) throws -> Program {
    try ThreadTeam.run(threads: threads) { team in
      var compiler = Compiler(input: input, products: products)
      let nodes = ordered()
      var readAhead = ReadAhead(nodes)
      for node in nodes {
        try readAhead.reach(node, on: team)
        try compiler.add(node, on: team)
        for weights in node.operation.weights { weights.forget() }
      }
      return Program(
        values: compiler.values, steps: compiler.steps, output: nodes.count - 1,
        products: products)
    }
  }

  /// This node and all that it needs, each after what it reads.
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
  /// The weights that preparing the operation reads.
  var weights: [ConvolutionWeights] {
    switch self {
    case .convolution(let step): [step.weights]
    case .upConvolution(let step): step.phases.flatMap { $0 }
    case .input, .maxPool, .slice: []
    }
  }
}

/// Unpacks compressed kernels some layers ahead, side by side.
private struct ReadAhead {
  /// Values in memory at a time.
  private static let largestCount = 8 << 20
  private var pending: ArraySlice<Node>
  private var ready: Set<ObjectIdentifier> = []

  init(_ nodes: [Node]) { pending = nodes[...] }

  /// Called before a node is prepared.
  mutating func reach(_ node: Node, on team: ThreadTeam) throws {
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
    try team.forEachThrowing(weights.count) { try weights[$0].readAhead() }
  }
}

/// Turns nodes into values and prepared steps, in the order of computation.
private struct Compiler {
  let input: Tensor.Shape
  let products: Products
  var values: [Program.Value] = []
  var steps: [Program.Step] = []
  private var shapes: [Tensor.Shape] = []
  private var indices: [ObjectIdentifier: Int] = [:]

  init(input: Tensor.Shape, products: Products) {
    (self.input, self.products) = (input, products)
  }

  /// Adds a node whose inputs have been added.
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
        forInput: shapes[inputs[0]], products: products, on: team)
      shape = convolution.geometry.outputShape(for: shapes[inputs[0]])
      operation = .convolution(convolution)
    case .upConvolution(let step):
      let convolution = try step.prepared(
        forInput: shapes[inputs[0]], products: products, on: team)
      shape = convolution.outputShape(for: shapes[inputs[0]])
      operation = .upConvolution(convolution)
    case .maxPool:
      let pooling = MaxPooling(products: products)
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
    forInput input: Tensor.Shape, products: Products, on team: ThreadTeam
  ) throws -> Convolution {
    try Convolution(
      geometry, kernels: weights.rows, bias: weights.bias, rectified: activation == .relu,
      algorithm: .best(for: geometry, input: input, on: products.instructionSet),
      products: products, on: team)
  }
}

extension UpConvolutionStep {
  fileprivate func prepared(
    forInput input: Tensor.Shape, products: Products, on team: ThreadTeam
  ) throws -> UpConvolution {
    let rows = phases.indices.map { self.rows(of: UpConvolution.Phase.allCases[$0]) }
    return try UpConvolution(
      inputChannels: inputChannels, outputChannels: outputChannels, padding: padding,
      kernels: { rows[$0.index] }, bias: phases.flatMap { $0.flatMap(\.bias) },
      rectified: rectified,
      tile: WinogradTiles.best(
        for: .init(.quartet, inputChannels, outputChannels, pixels: input.area),
        on: products.instructionSet),
      products: products, on: team)
  }
}
