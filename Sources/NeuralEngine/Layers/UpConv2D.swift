import DepthBase

/// Fast up-convolutions of several branches that read the same map, each followed by batch norm.
///
/// Per branch, four small convolutions — `A` 3×3, `B` 2×3, `C` 3×2, `D` 2×2 — each compute the
/// pixels of one row and column parity of the doubled map, with 25 instead of 100 multiply–adds per
/// input pixel and pair of channels.
///
/// > Source: I. Laina et al. “Deeper Depth Prediction with Fully Convolutional Residual Networks.”
/// > 3DV 2016. [arXiv:1606.00373](https://arxiv.org/abs/1606.00373), section 3.2.
struct UpConv2D: Sendable {
  /// One branch, with the weights' groups `<prefix>_ConvA` … `<prefix>_ConvD` and `<prefix>_BN`.
  struct Branch: Sendable {
    let prefix: String
    let activation: Activation

    /// The result's name in the published graph.
    var name: String { activation == .relu ? "\(prefix)_ReLU" : "\(prefix)_BN" }
  }

  private let operation: UpConvolutionOperation
  private let branches: [Branch]
  private let outputChannels: Int

  /// Checks the weights of all branches and folds their batch norms.
  ///
  /// - Throws: `DepthError` when a tensor is missing, has another shape or is not finite.
  init(
    _ weights: WeightScope, branches: [Branch], padding: UpConvolution.Padding,
    _ inputChannels: Int, _ outputChannels: Int
  ) throws {
    self.branches = branches
    self.outputChannels = outputChannels
    let phases = try UpConvolution.Phase.allCases.map { phase in
      try branches.map { branch in
        try ConvolutionWeights(
          weights, layer: "\(branch.prefix)_Conv\(phase.letter)", norm: "\(branch.prefix)_BN",
          hasBias: true,
          shape: [outputChannels, inputChannels, phase.kernelHeight, phase.kernelWidth])
      }
    }
    operation = UpConvolutionOperation(
      inputChannels: inputChannels, padding: padding,
      phases: phases, activations: branches.map(\.activation))
  }

  /// Extends the graph by one node per branch.
  func callAsFunction(_ x: Node) -> [Node] {
    x.require(channels: operation.inputChannels)
    let layer = branches.map(\.prefix).joined(separator: "+")
    let all = Node(
      operation, layer: layer, name: layer,
      channels: branches.count * outputChannels, inputs: [x])
    return branches.enumerated().map { index, branch in
      all.slice(index * outputChannels..<(index + 1) * outputChannels, name: branch.name)
    }
  }
}
