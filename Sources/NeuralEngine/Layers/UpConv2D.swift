import DepthBase

/// Fast up-convolutions of several branches that read the same map, each followed by batch norm.
///
/// Per branch, four small convolutions — `A` 3×3, `B` 2×3, `C` 3×2, `D` 2×2 — each compute the
/// pixels of one row and column parity of a map twice as high and wide, with 25 instead of 100
/// multiply–adds per input pixel and pair of channels.
///
/// > Source: I. Laina et al. “Deeper Depth Prediction with Fully Convolutional Residual Networks.”
/// > 3DV 2016. [arXiv:1606.00373](https://arxiv.org/abs/1606.00373), section 3.2.
struct UpConv2D: Sendable {
  /// One branch; its weights' groups are `<prefix>_ConvA` … `<prefix>_ConvD` and `<prefix>_BN`.
  struct Branch: Sendable {
    let prefix: String
    let activation: Activation

    /// The result's name in the published graph.
    var name: String { activation == .relu ? "\(prefix)_ReLU" : "\(prefix)_BN" }
  }

  private let step: UpConvolutionStep
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
    step = UpConvolutionStep(
      inputChannels: inputChannels, padding: padding,
      phases: phases, activations: branches.map(\.activation))
  }

  /// Extends the graph by one node per branch.
  func callAsFunction(_ x: Node) -> [Node] {
    precondition(
      x.channels == step.inputChannels,
      "x has \(x.channels) channels, expected \(step.inputChannels)")
    let layer = branches.map(\.prefix).joined(separator: "+")
    let all = Node(
      .upConvolution(step), layer: layer, name: layer,
      channels: branches.count * outputChannels, inputs: [x])
    return branches.enumerated().map { index, branch in
      all.slice(index * outputChannels..<(index + 1) * outputChannels, name: branch.name)
    }
  }
}

/// An up-convolution before its weights are packed for an algorithm.
struct UpConvolutionStep: Sendable {
  let inputChannels: Int
  let padding: UpConvolution.Padding
  /// For each of A, B, C and D, the weights of all branches.
  let phases: [[ConvolutionWeights]]
  let activations: [Activation]

  var outputChannels: Int { phases[0].reduce(0) { $0 + $1.outputChannels } }

  /// Output channels with a ReLU: those of the leading branches.
  var reluChannels: Range<Int> {
    let count = zip(phases[0], activations).prefix { $1 == .relu }
      .reduce(0) { $0 + $1.0.outputChannels }
    precondition(
      !activations.dropFirst(activations.prefix { $0 == .relu }.count).contains(.relu),
      "branches with a ReLU must come first")
    return 0..<count
  }

  /// Reads the kernels of all branches, concatenated along the output channels.
  func rows(of phase: UpConvolution.Phase) -> KernelRows {
    let branches = phases[phase.index].map { (channels: $0.outputChannels, rows: $0.rows) }
    return { range in
      var kernels: [Float] = []
      var first = 0
      for branch in branches {
        let part = range.clamped(to: first..<first + branch.channels)
        if !part.isEmpty {
          kernels += try branch.rows(part.lowerBound - first..<part.upperBound - first)
        }
        first += branch.channels
      }
      return kernels
    }
  }
}
