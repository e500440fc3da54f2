import CDepthSIMD
import ThreadTeams

/// Bias and lower bounds of a convolution's output channels.
struct ChannelBounds: Sendable {
  let bias: AlignedBuffer
  /// 0 under a ReLU, −∞ elsewhere; `nil` when no channel has one.
  let floor: AlignedBuffer?

  /// - Parameters:
  ///   - bias: One value a channel; for an up-convolution one row of channels a phase.
  ///   - rectified: Channels with a ReLU.
  init(bias: [Float], channels: Int, rectified: Range<Int>) {
    self.bias = AlignedBuffer(padding: bias)
    floor =
      rectified.isEmpty
      ? nil
      : AlignedBuffer(
        padding: (0..<channels).map { rectified.contains($0) ? 0 : -Float.infinity })
  }

  func epilogue(residual: FeatureMap?, in workspace: Workspace) -> ck_epilogue {
    ck_epilogue(
      bias: UnsafePointer(bias.base), floor: floor.map { UnsafePointer($0.base) },
      residual: residual.map { UnsafePointer(workspace.base + $0.offset) },
      residual_stride: residual?.pixelStride ?? 0)
  }
}
