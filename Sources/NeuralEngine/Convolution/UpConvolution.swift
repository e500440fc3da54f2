import DepthBase

/// Four small convolutions that together double a map's height and width (Laina et al. 2016, figure
/// 3 of the paper's supplement and the published code): `A` 3×3, `B` 2×3, `C` 3×2 and `D` 2×2
/// compute the pixels of one row and column parity each.
///
///     y[2r, 2c] = A, y[2r+1, 2c] = B, y[2r, 2c+1] = C, y[2r+1, 2c+1] = D
///
/// Branches that read the same input are concatenated along the output channels, so the input is
/// transformed only once.
package struct UpConvolution: Sendable {
  /// One of the four kernels, in the order of the published weights.
  package enum Phase: Int, Sendable, CaseIterable {
    case a, b, c, d

    /// 0 for A to 3 for D.
    package var index: Int { rawValue }

    /// The phase's letter in the names of the published weights.
    package var letter: String { ["A", "B", "C", "D"][rawValue] }

    package var kernelHeight: Int { self == .a || self == .c ? 3 : 2 }
    package var kernelWidth: Int { self == .a || self == .b ? 3 : 2 }
  }

  /// The side of the zero padding for kernels with two taps along an axis.
  package enum Padding: String, Sendable, Hashable, CaseIterable {
    /// Taps r−1 and r: the published NYU model.
    case topLeft = "topleft"
    /// Taps r and r+1: equal to unpooling and one 5×5 convolution; the Make3D model.
    case bottomRight = "bottomright"
  }

  let inputChannels, outputChannels: Int
  let algorithm: ConvolutionAlgorithm
  private let winograd: WinogradConvolution

  /// - Parameters:
  ///   - kernels: For each phase, a function that reads the kernels of some output channels in OIHW
  ///     order.
  ///   - bias: Four rows of `outputChannels`, one per phase.
  ///   - reluChannels: The output channels with a ReLU.
  ///   - algorithm: Winograd's algorithm, with the tile of each phase.
  ///   - backend: The matrix-multiplication back end.
  ///   - place: The weights' memory.
  ///   - team: The threads that pack.
  /// - Throws: Errors of `kernels`.
  init(
    inputChannels: Int, outputChannels: Int, padding: Padding,
    kernels: @escaping @Sendable (Phase) -> KernelRows, bias: [Float], reluChannels: Range<Int>,
    algorithm: ConvolutionAlgorithm, backend: GEMMBackend, place: WeightPlace = .own,
    on team: ThreadTeam
  ) throws {
    precondition(
      bias.count == 4 * outputChannels, "\(bias.count) biases, expected \(4 * outputChannels)")
    (self.inputChannels, self.outputChannels) = (inputChannels, outputChannels)
    self.algorithm = algorithm
    // The bias has a row per phase, while the lower bounds are equal for all phases.
    let bounds = ChannelBounds(bias: bias, channels: outputChannels, reluChannels: reluChannels)
    guard case .winograd(let tile) = algorithm else {
      preconditionFailure("an up-convolution by \(algorithm), expected winograd")
    }
    let three = tile + 2
    let weights = try WinogradWeights(
      tile: tile, rows: 2 * tile + 3, columns: 2 * tile + 3, inputChannels: inputChannels,
      outputChannels: outputChannels,
      parts: Phase.allCases.map { phase in
        .init(
          kernelHeight: phase.kernelHeight, kernelWidth: phase.kernelWidth,
          firstRow: phase.kernelHeight == 3 ? 0 : three,
          firstColumn: phase.kernelWidth == 3 ? 0 : three, kernels: kernels(phase))
      }, backend: backend, place: place, on: team)
    winograd = WinogradConvolution(
      form: .upConvolution, twoTapOffset: padding == .topLeft ? 0 : 1, weights: weights,
      bounds: bounds)
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    input.require(channels: inputChannels)
    return Self.outputShape(for: input, outputChannels: outputChannels)
  }

  /// Twice the height and width.
  static func outputShape(for input: Tensor.Shape, outputChannels: Int) -> Tensor.Shape {
    Tensor.Shape(
      count: input.count, height: 2 * input.height, width: 2 * input.width,
      channels: outputChannels)
  }
}

extension UpConvolution: PreparedOperation {
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("up \(inputChannels)→\(outputChannels)", algorithm.description)
  }

  var weightBytes: Int { winograd.weights.bytes }

  /// 25 per pixel and pair of channels.
  func multiplyAdds(for input: Tensor.Shape) -> Int {
    25 * input.rows * inputChannels * outputChannels
  }

  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    winograd.scratchCount(for: input, threads: threads)
  }

  func run(_ run: LayerRun) {
    let (input, output) = (run.input, run.output)
    precondition(
      output.shape == outputShape(for: input.shape),
      "y is \(output.shape), expected \(outputShape(for: input.shape))")
    winograd.run(
      input, residual: nil, output: output, scratch: run.scratch, in: run.workspace, on: run.team)
  }
}
