import CDepthSIMD
import ThreadTeams

/// The bias and the lower bound of each output channel of a convolution.
struct ChannelBounds: Sendable {
  let bias: AlignedBuffer
  /// 0 for a channel with a ReLU, −∞ for others; `nil` when no channel has a ReLU.
  let lowerBound: AlignedBuffer?

  /// - Parameters:
  ///   - bias: One value per channel; for an up-convolution one row of channels per phase.
  ///   - channels: Output channels.
  ///   - reluChannels: Channels that a ReLU follows.
  init(bias: [Float], channels: Int, reluChannels: Range<Int>) {
    self.bias = AlignedBuffer(padding: bias)
    lowerBound =
      reluChannels.isEmpty
      ? nil
      : AlignedBuffer(
        padding: (0..<channels).map { reluChannels.contains($0) ? 0 : -Float.infinity })
  }

  /// The epilogue that the C kernels apply to a result that `residual` is added to.
  func epilogue(residual: FeatureMap?, in workspace: Workspace) -> ck_epilogue {
    unsafe ck_epilogue(
      bias: UnsafePointer(bias.base), lower_bound: lowerBound.map { unsafe UnsafePointer($0.base) },
      residual: unsafe residual.map { unsafe UnsafePointer(workspace.base + $0.offset) },
      residual_stride: residual?.pixelStride ?? 0)
  }
}
