import CDepthSIMD
import DepthBase

/// Normalizes each pixel: (pixel − mean) / deviation · γ + β, with mean and deviation over its channels.
///
/// With two inputs, the second input is normalized and arranged like the first input: row by row, without the class token.
///
/// > Source: J. L. Ba, J. R. Kiros, G. E. Hinton. “Layer Normalization.” 2016.
/// > [arXiv:1607.06450](https://arxiv.org/abs/1607.06450).
struct LayerNormalization: Operation, PreparedOperation {
  let channels: Int
  let epsilon: Float
  private let gamma, beta: AlignedBuffer

  init(gamma: [Float], beta: [Float], epsilon: Float) {
    precondition(gamma.count == beta.count, "\(gamma.count) scales and \(beta.count) offsets")
    (channels, self.epsilon) = (gamma.count, epsilon)
    (self.gamma, self.beta) = (AlignedBuffer(padding: gamma), AlignedBuffer(padding: beta))
  }

  var kind: String { "norm" }
  var otherParameters: Int { 2 * channels }
  func description(for input: Tensor.Shape) -> (shape: String, algorithm: String) {
    ("norm \(channels)", "norm")
  }

  func outputShape(for input: Tensor.Shape) -> Tensor.Shape { input }

  /// Pixels that one task normalizes.
  private static let pixelsPerTask = 64

  func run(_ run: LayerRun) {
    let (shape, output) = (run.output.shape, run.output)
    precondition(shape.channels == channels, "x has \(shape.channels) channels, not \(channels)")
    let read = run.second ?? run.input
    let skipped = run.second == nil ? 0 : 1
    precondition(
      read.shape.channels == channels && read.shape.count == shape.count
        && read.shape.area == shape.area + skipped,
      "tokens are \(read.shape), expected \(shape.area + skipped) for a map of \(shape)")
    let kernel = unsafe run.backend.kernels.pointee.network.layer_norm
    nonisolated(unsafe) let base = unsafe run.workspace.base
    let tasks = (shape.area + Self.pixelsPerTask - 1) / Self.pixelsPerTask
    run.team.forEach(shape.count * tasks) { _, index in
      let (image, task) = index.quotientAndRemainder(dividingBy: tasks)
      let first = task * Self.pixelsPerTask
      let rows = min(Self.pixelsPerTask, shape.area - first)
      let source = image * read.shape.area + skipped + first
      unsafe kernel(
        rows, channels, base + read.offset + source * read.pixelStride, read.pixelStride,
        gamma.base, beta.base, epsilon,
        base + output.offset + (image * shape.area + first) * output.pixelStride,
        output.pixelStride)
    }
  }
}
