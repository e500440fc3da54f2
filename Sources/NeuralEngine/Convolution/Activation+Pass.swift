import CDepthSIMD
import DepthBase

extension Activation {
  /// Applies an activation without a bound form to every value of a map, in place. Other activations change nothing.
  ///
  /// The result does not depend on the instruction set. The exponential function is within 2 ulp. Its results are limited to
  /// e⁻⁸⁷ … e⁸⁸, so they are finite, normal and positive.
  ///
  /// > Source: D. Hendrycks, K. Gimpel. “Gaussian Error Linear Units.” 2016.
  /// > [arXiv:1606.08415](https://arxiv.org/abs/1606.08415).
  func run(
    _ map: FeatureMap, on set: InstructionSet, in workspace: Workspace, on team: ThreadTeam
  ) {
    guard self == .exp || self == .gelu else { return }
    nonisolated(unsafe) let base = unsafe workspace.base + map.offset
    let (width, channels, stride) = (map.shape.width, map.shape.channels, map.pixelStride)
    let kernels = unsafe set.kernels
    let (exponential, gelu) = unsafe (
      kernels.pointee.network.exponential, kernels.pointee.network.gelu
    )
    // If pixels have no gaps, a line is one run.
    let (runs, count) = stride == channels ? (1, width * channels) : (width, channels)
    team.forEach(map.shape.count * map.shape.height) { _, line in
      let values = unsafe base + line * width * stride
      if self == .gelu { return unsafe gelu(width, channels, values, stride) }
      for run in 0..<runs {
        let start = unsafe values + run * stride
        unsafe exponential(count, start, start)
      }
    }
  }
}
