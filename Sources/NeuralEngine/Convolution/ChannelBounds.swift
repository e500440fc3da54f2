import CDepthSIMD
import DepthBase

/// The bias and the bounds of each output channel of a convolution.
struct ChannelBounds: Sendable {
  let bias: AlignedBuffer
  /// Lower bound of each channel, 0 with a ReLU and −∞ without; `nil` if no channel has a ReLU.
  let lowerBound: AlignedBuffer?
  /// The upper bound of all channels; 0 for none.
  let upperBound: Float

  /// - Parameters:
  ///   - bias: One value per channel.
  ///   - activation: Activation of all channels. An exponential function has no bounds.
  init(bias: [Float], activation: Activation) {
    let hasBound = activation.lowerBound == 0
    self.init(
      bias: bias, channels: bias.count, reluChannels: 0..<(hasBound ? bias.count : 0),
      upperBound: activation.upperBound ?? 0)
  }

  /// - Parameters:
  ///   - bias: One value per channel; for an up-convolution one row of channels per phase.
  ///   - channels: Output channels.
  ///   - reluChannels: Channels with a ReLU.
  ///   - upperBound: Upper bound of all channels; 0 for none.
  init(bias: [Float], channels: Int, reluChannels: Range<Int>, upperBound: Float = 0) {
    self.bias = AlignedBuffer(padding: bias)
    self.upperBound = upperBound
    lowerBound =
      reluChannels.isEmpty
      ? nil
      : AlignedBuffer(
        padding: (0..<channels).map { reluChannels.contains($0) ? 0 : -Float.infinity })
  }

  /// The epilogue of the C kernels for a result with an optional `residual`.
  func epilogue(residual: FeatureMap?, in workspace: Workspace) -> ck_epilogue {
    unsafe ck_epilogue(
      bias: UnsafePointer(bias.base), lower_bound: lowerBound.map { unsafe UnsafePointer($0.base) },
      residual: unsafe residual.map { unsafe UnsafePointer(workspace.base + $0.offset) },
      residual_stride: residual?.pixelStride ?? 0, upper_bound: upperBound)
  }
}
