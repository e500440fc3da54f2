/// Adds a function of pooled channels to each pixel, or gates the channels by this function.
package struct ChannelContext2D: Layer {
  private let operation: ChannelContextOperation
  private let layer: String

  /// Adds a linear function of the mean: y = x + W · mean(x) + b.
  ///
  /// > Source: W. Liu, A. Rabinovich, A. C. Berg. “ParseNet: Looking Wider to See Better.” 2015.
  /// > [arXiv:1506.04579](https://arxiv.org/abs/1506.04579), section 3.1.
  ///
  /// - Parameter layer: The weights' group, W as a 1×1 kernel.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package static func addingMean(
    _ weights: WeightScope, _ layer: String, channels: Int
  ) throws -> ChannelContext2D {
    try ChannelContext2D(weights, layer, kernels: [layer], widths: [channels, channels])
  }

  /// Gates channels by two products of the mean: y = x · σ(W₂ · ReLU(W₁ · mean(x) + b₁) + b₂).
  ///
  /// > Source: J. Hu, L. Shen, G. Sun. “Squeeze-and-Excitation Networks.” CVPR 2018.
  /// > [arXiv:1709.01507](https://arxiv.org/abs/1709.01507), section 3.
  ///
  /// - Parameter kernels: The groups of W₁ and W₂.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package static func gate(
    _ weights: WeightScope, _ layer: String, kernels: [String], channels: Int, hidden: Int
  ) throws -> ChannelContext2D {
    try ChannelContext2D(
      weights, layer, kernels: kernels, widths: [channels, hidden, channels], isGate: true)
  }

  /// Adds two products of a mean v that is weighted by a softmax over all pixels: y = x + W₂ · ReLU(W₁ · v + b₁) + b₂.
  ///
  /// > Source: Y. Cao et al. “GCNet: Non-local Networks Meet Squeeze-Excitation Networks and Beyond.” ICCV Workshops 2019.
  /// > [arXiv:1904.11492](https://arxiv.org/abs/1904.11492), figure 4 (d).
  ///
  /// - Parameters:
  ///   - attention: The group of the 1×1 kernel before the softmax.
  ///   - kernels: The groups of W₁ and W₂.
  /// - Throws: `DepthError` when a tensor is missing, mis-shaped or not finite.
  package static func addingAttended(
    _ weights: WeightScope, _ layer: String, attention: String, kernels: [String], channels: Int,
    hidden: Int
  ) throws -> ChannelContext2D {
    try ChannelContext2D(
      weights, layer, kernels: kernels, widths: [channels, hidden, channels], attention: attention)
  }

  private init(
    _ weights: WeightScope, _ layer: String, kernels: [String], widths: [Int],
    attention: String? = nil, isGate: Bool = false
  ) throws {
    func kernel(_ layer: String, _ input: Int, _ output: Int) throws -> ConvolutionWeights {
      try ConvolutionWeights(
        weights, layer: layer, norm: nil, hasBias: true, shape: [output, input, 1, 1])
    }
    self.layer = layer
    operation = ChannelContextOperation(
      channels: widths[0],
      kernels: try zip(kernels, zip(widths, widths.dropFirst())).map {
        try kernel($0, $1.0, $1.1)
      },
      attention: try attention.map { try kernel($0, widths[0], 1) }, isGate: isGate)
  }

  package func callAsFunction(_ x: Node) -> Node {
    x.require(channels: operation.channels)
    return Node(operation, layer: layer, name: layer, channels: x.channels, inputs: [x])
  }
}

/// A channel context before its weights are read.
struct ChannelContextOperation: Operation {
  let channels: Int
  let kernels: [ConvolutionWeights]
  let attention: ConvolutionWeights?
  let isGate: Bool

  var kind: String { isGate ? "gate" : "context" }
  var weights: [ConvolutionWeights] { kernels + [attention].compactMap(\.self) }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input }

  func isNonnegative(_ channels: Range<Int>, reading source: Node) -> Bool {
    isGate && source.isNonnegative(channels)
  }

  func prepared(_ preparation: Preparation) throws -> any PreparedOperation {
    var pooling = ChannelContext.Pooling.mean
    if let attention {
      pooling = .attention(kernel: try attention.rows(0..<1), bias: attention.bias[0])
    }
    return ChannelContext(
      channels: channels, pooling: pooling, products: try kernels.map { try Self.product($0) },
      isGate: isGate)
  }

  /// The matrix of a 1×1 kernel.
  private static func product(_ kernel: ConvolutionWeights) throws -> ChannelContext.Product {
    let (inputs, outputs) = (kernel.kernelCount, kernel.outputChannels)
    let rows = try kernel.rows(0..<outputs)
    var weights = [Float](repeating: 0, count: rows.count)
    for output in 0..<outputs {
      for input in 0..<inputs { weights[input * outputs + output] = rows[output * inputs + input] }
    }
    return .init(weights: weights, bias: kernel.bias)
  }
}
