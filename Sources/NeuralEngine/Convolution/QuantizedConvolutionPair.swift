import DepthBase

/// A convolution on quantized maps with its only reader, a 3×3 convolution to one or two channels. They are a network's last
/// layers.
///
/// The map between the convolutions is too large for the caches. The second convolution reads the map strip by strip from
/// the cache, so the map is never stored whole. The result is equal, bit by bit, to that of two separate runs.
struct QuantizedConvolutionPair: PreparedOperation {
  let first: QuantizedConvolution
  let second: Convolution

  /// - Precondition: The first convolution does not double its map and writes floats; the second is a sum of taps.
  init(_ first: QuantizedConvolution, _ second: Convolution) {
    precondition(
      !first.isUpConvolution && first.output == nil && second.algorithm == .tapSum,
      "a pair with \(second.algorithm), expected floats and a sum of taps")
    (self.first, self.second) = (first, second)
  }

  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    (
      "\(first.geometry?.description ?? "")→\(second.geometry.outputChannels)",
      "int8, \(second.algorithm)"
    )
  }

  var weightBytes: Int { first.weightBytes + second.weightBytes }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape {
    second.geometry.outputShape(for: first.outputShape(for: input))
  }

  func multiplyAdds(for input: Tensor.Shape) -> Int {
    first.multiplyAdds(for: input) + second.geometry.multiplyAdds(for: outputShape(for: input))
  }

  func scratchCount(for input: Tensor.Shape, threads: Int) -> Int {
    second.scratchCount(forResultOf: first, of: input, threads: threads)
  }

  func run(_ run: LayerRun) {
    let (input, output) = (run.inputMap.asQuantized, run.output)
    precondition(
      output.shape == outputShape(for: input.shape),
      "y is \(output.shape), expected \(outputShape(for: input.shape))")
    second.run(
      onResultOf: first, of: input, adding: run.secondMap?.asQuantized, into: output,
      scratch: run.scratch, in: run.workspace, on: run.team)
  }
}
