package import DepthBase

/// A convolution on quantized maps and a 3×3 convolution to one or two channels, which alone reads its result: the last layers of a network.
///
/// The map between them has many floats per pixel, more than caches hold. The second convolution takes it strip by strip, from the
/// cache, and no memory holds it whole. The result has the same bits as that of the two, one after the other.
package struct QuantizedConvolutionPair: Sendable {
  let first: QuantizedConvolution
  let second: Convolution

  /// - Precondition: The first convolution does not double its map and writes floats; the second is a sum of taps.
  package init(_ first: QuantizedConvolution, _ second: Convolution) {
    precondition(
      !first.isUpConvolution && first.output == nil && second.algorithm == .tapSum,
      "a pair with \(second.algorithm), expected floats and a sum of taps")
    (self.first, self.second) = (first, second)
  }

  package func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    second.geometry.outputShape(for: first.outputShape(for: input))
  }

  /// Bytes of the packed weights.
  var weightBytes: Int { first.weightBytes + second.weightBytes }

  /// Multiply–adds of both for one input shape.
  func multiplyAdds(for input: Tensor.Shape) -> Int {
    first.multiplyAdds(for: input) + second.geometry.multiplyAdds(for: outputShape(for: input))
  }

  /// Floats of scratch for one run.
  package func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    second.scratchCount(forResultOf: first, of: input, threads: threads)
  }

  /// Computes one result.
  ///
  /// - Parameters:
  ///   - input: The quantized values that the first convolution reads.
  ///   - residual: Quantized values that are added to its result.
  ///   - output: The second convolution's result.
  ///   - scratch: Offset of at least ``scratchCount(for:threads:)`` floats that nothing else uses.
  /// - Precondition: The shapes fit together.
  package func run(
    _ input: QuantizedMap, adding residual: QuantizedMap? = nil, into output: FeatureMap,
    scratch: Int,
    in workspace: Workspace, on team: ThreadTeam
  ) {
    precondition(
      output.shape == outputShape(for: input.shape),
      "y is \(output.shape), expected \(outputShape(for: input.shape))")
    second.run(
      onResultOf: first, of: input, adding: residual, into: output, scratch: scratch,
      in: workspace, on: team)
  }
}

extension QuantizedConvolutionPair: PreparedOperation {
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    (
      "\(first.geometry?.description ?? "")→\(second.geometry.outputChannels)",
      "int8, \(second.algorithm)"
    )
  }

  func run(_ run: LayerRun) {
    self.run(
      run.inputMap.asQuantized, adding: run.secondMap?.asQuantized, into: run.output,
      scratch: run.scratch, in: run.workspace, on: run.team)
  }
}
