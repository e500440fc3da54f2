package import ThreadTeams

/// Four small convolutions that together double a map's height and width (Laina et al. 2016, figure 3
/// of the paper's supplement and the published code): `A` 3×3, `B` 2×3, `C` 3×2 and `D` 2×2 compute the
/// pixels of one row and column parity each.
///
///     y[2r, 2c] = A, y[2r+1, 2c] = B, y[2r, 2c+1] = C, y[2r+1, 2c+1] = D
///
/// Several branches that read the same input stand side by side as output channels, so that the
/// transformed input serves all of them.
package struct UpConvolution: Sendable {
  /// The four kernels, in the order of the published weights.
  package enum Phase: Int, Sendable, CaseIterable {
    case a, b, c, d

    /// Its place in the order A, B, C, D.
    package var index: Int { rawValue }

    /// Its letter in the names of the published weights.
    package var letter: String { ["A", "B", "C", "D"][rawValue] }

    package var kernelHeight: Int { self == .a || self == .c ? 3 : 2 }
    package var kernelWidth: Int { self == .a || self == .b ? 3 : 2 }
  }

  /// Where the two-tap kernels' zeros stand.
  package enum Padding: String, Sendable, Hashable, CaseIterable {
    /// Taps r−1 and r: the published NYU model.
    case topLeft = "topleft"
    /// Taps r and r+1: equal to unpooling and one 5×5 convolution; the Make3D model.
    case bottomRight = "bottomright"
  }

  package let inputChannels, outputChannels: Int
  package let tile: Int
  private let winograd: WinogradConvolution

  /// - Parameters:
  ///   - kernels: For every phase, the kernels of some output channels in OIHW order.
  ///   - bias: Four rows of `outputChannels`, one a phase.
  ///   - rectified: The output channels that a ReLU follows.
  /// - Throws: What `kernels` throws.
  package init(
    inputChannels: Int, outputChannels: Int, padding: Padding,
    kernels: @escaping @Sendable (Phase) -> KernelRows, bias: [Float], rectified: Range<Int>,
    tile: Int, products: Products, on team: ThreadTeam
  ) throws {
    precondition(
      bias.count == 4 * outputChannels, "\(bias.count) biases, expected \(4 * outputChannels)")
    (self.inputChannels, self.outputChannels, self.tile) = (inputChannels, outputChannels, tile)
    let three = tile + 2
    let weights = try WinogradWeights(
      tile: tile, rows: 2 * tile + 3, columns: 2 * tile + 3, inputChannels: inputChannels,
      outputChannels: outputChannels,
      parts: Phase.allCases.map { phase in
        .init(
          kernelHeight: phase.kernelHeight, kernelWidth: phase.kernelWidth,
          firstRow: phase.kernelHeight == 3 ? 0 : three,
          firstColumn: phase.kernelWidth == 3 ? 0 : three, kernels: kernels(phase))
      }, products: products, on: team)
    // All four rows of the bias are read; the floor is the same for all.
    winograd = WinogradConvolution(
      form: .quartet(twoTapOffset: padding == .topLeft ? 0 : 1), weights: weights,
      bounds: ChannelBounds(bias: bias, channels: outputChannels, rectified: rectified))
  }

  package func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    precondition(
      input.channels == inputChannels,
      "x has \(input.channels) channels, expected \(inputChannels)")
    return Self.outputShape(for: input, outputChannels: outputChannels)
  }

  /// Twice the height and width.
  package static func outputShape(for input: Tensor.Shape, outputChannels: Int) -> Tensor.Shape {
    Tensor.Shape(
      count: input.count, height: 2 * input.height, width: 2 * input.width,
      channels: outputChannels)
  }

  /// Bytes of the prepared kernels.
  package var weightBytes: Int { winograd.weights.bytes }

  /// Multiply–adds that the algorithm's products do for one input shape.
  package func productMultiplyAdds(for input: Tensor.Shape) -> Int {
    winograd.productMultiplyAdds(for: input)
  }

  /// Multiply–adds of the direct form for one input shape: 25 for every pixel and channel pair.
  package func multiplyAdds(for input: Tensor.Shape) -> Int {
    25 * input.rows * inputChannels * outputChannels
  }

  package func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    winograd.scratchCount(for: input, threads: threads)
  }

  /// - Precondition: `scratch` is the offset of at least `scratchCount` floats that no one else uses.
  package func run(
    _ input: FeatureMap, into output: FeatureMap, scratch: Int, in workspace: Workspace,
    on team: ThreadTeam
  ) {
    precondition(
      output.shape == outputShape(for: input.shape),
      "y is \(output.shape), expected \(outputShape(for: input.shape))")
    winograd.run(
      input, residual: nil, output: output, scratch: scratch, in: workspace, on: team)
  }
}
