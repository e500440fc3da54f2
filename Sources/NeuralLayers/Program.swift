public import Kernels
public import Tensors

/// A network ready to run: its steps in order, with weights prepared for this processor.
///
/// Immutable and safe to share; every run brings its own memory.
public struct Program: Sendable {
  /// One computed feature map, or a slice of one.
  struct Value: Sendable {
    let name: String
    let channels: Int
    /// For a slice: the value it is cut from, and where.
    var slice: (source: Int, channels: Range<Int>)?
  }

  struct Step: Sendable {
    let layer: String
    let operation: Operation
    /// Index of the value that is read.
    let input: Int
    /// Index of the value that is added, if any.
    let residual: Int?
    /// Index of the value that is written.
    let output: Int
  }

  enum Operation: Sendable {
    case convolution(Convolution)
    case upConvolution(UpConvolution)
    case maxPool(MaxPooling)
  }

  let values: [Value]
  let steps: [Step]
  /// Index of the network's result. Its input is value 0.
  let output: Int
  /// Who multiplies matrices.
  public let products: Products

  /// Names of all results, in the order in which they are computed.
  public var valueNames: [String] { values.map(\.name) }
}

extension Node {
  /// Prepares the network that ends in this node.
  ///
  /// - Parameters:
  ///   - input: The input's shape in ordinary use, by which algorithms are chosen; any other works too.
  ///   - products: Who multiplies matrices.
  ///   - threads: Threads that read and transform weights.
  /// - Throws: ``WeightsError`` when a kernel cannot be read or is not finite.
  public func compiled(
    forInput input: Tensor.Shape, products: Products = .best, threads: Int
  ) throws -> Program {
    try ThreadTeam.run(threads: threads) { team in
      var compiler = Compiler(input: input, products: products)
      let output = try compiler.visit(self, on: team)
      return Program(
        values: compiler.values, steps: compiler.steps, output: output, products: products)
    }
  }
}

/// Walks a graph in the order of computation.
private struct Compiler {
  let input: Tensor.Shape
  let products: Products
  var values: [Program.Value] = []
  var steps: [Program.Step] = []
  private var shapes: [Tensor.Shape] = []
  private var visited: [ObjectIdentifier: Int] = [:]

  init(input: Tensor.Shape, products: Products) {
    (self.input, self.products) = (input, products)
  }

  /// The index of a node's value, after its inputs and itself have been added.
  mutating func visit(_ node: Node, on team: ThreadTeam) throws -> Int {
    if let known = visited[ObjectIdentifier(node)] { return known }
    let inputs = try node.inputs.map { try visit($0, on: team) }
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
      (shape, operation) = (pooling.outputShape(for: shapes[inputs[0]]), .maxPool(pooling))
    }
    let index = values.count
    values.append(.init(name: node.name, channels: node.channels, slice: slice))
    shapes.append(shape)
    visited[ObjectIdentifier(node)] = index
    if let operation {
      steps.append(
        .init(
          layer: node.layer, operation: operation, input: inputs[0],
          residual: inputs.dropFirst().first, output: index))
    }
    return index
  }
}

extension ConvolutionStep {
  fileprivate func prepared(
    forInput input: Tensor.Shape, products: Products, on team: ThreadTeam
  ) throws -> Convolution {
    try Convolution(
      geometry, kernels: weights.rows, bias: weights.bias, rectified: activation == .relu,
      algorithm: .best(for: geometry, input: input), products: products, on: team)
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
      tile: ConvolutionAlgorithm.bestTile(
        forUpConvolution: inputChannels * outputChannels, input: input),
      products: products, on: team)
  }
}
