import CDepthSIMD
import DepthBase

/// The place of a map rounded to bfloat16 in a run's scratch: NHWC, two bytes per value, with zeros around each image where a
/// kernel leaves it.
///
/// Kernels read pairs of values. After an odd number of values the second one of the last pair is what follows, which meets a
/// weight of zero.
///
/// Only the layer that rounds it reads it: maps themselves stay 32-bit floats, so that residuals and all layers that compute with
/// floats lose nothing.
struct RoundedMap: Sendable {
  /// The shape of the copy, which has every `stride`-th row and column.
  let shape: Tensor.Shape
  let stride: Int
  let border: ConvolutionGeometry.Padding
  /// Bytes from pixel to pixel, line to line and image to image.
  let pixelStride, lineStride, imageStride: Int

  /// - Parameters:
  ///   - input: The map's shape.
  ///   - stride: Rows and columns from one copied pixel to the next.
  ///   - border: Rows and columns of zeros.
  init(
    of input: Tensor.Shape, stride: Int = 1, border: ConvolutionGeometry.Padding
  ) {
    shape = Tensor.Shape(
      count: input.count, height: (input.height + stride - 1) / stride,
      width: (input.width + stride - 1) / stride, channels: input.channels)
    (self.stride, self.border) = (stride, border)
    let bytes = 2 * input.channels
    // At multiples of 2 KiB pixels would compete for few sets of the first-level cache.
    pixelStride = bytes > 0 && bytes % 2048 == 0 ? bytes + 64 : bytes
    lineStride = (shape.width + border.left + border.right) * pixelStride
    imageStride = (shape.height + border.top + border.bottom) * lineStride
  }

  /// Whether pixels have no gaps.
  var isDense: Bool { pixelStride == 2 * shape.channels }

  /// Floats of scratch, with one pair after the last value.
  var extent: Int { Workspace.aligned((shape.count * imageStride + 7) / 4) }

  /// Bytes from the beginning to the first value.
  var start: Int { border.top * lineStride + border.left * pixelStride }

  /// Rounds a map.
  ///
  /// - Parameters:
  ///   - scratch: Offset of ``extent`` floats.
  ///   - instructionSet: All round to the same bits.
  func round(
    _ input: FeatureMap, into scratch: Int, by instructionSet: BFloat16InstructionSet,
    in workspace: Workspace, on team: ThreadTeam
  ) {
    let lines = shape.height + border.top + border.bottom
    nonisolated(unsafe) let x = unsafe UnsafePointer(workspace.base + input.offset)
    nonisolated(unsafe) let y = unsafe UnsafeMutableRawPointer(workspace.base + scratch)
    let channels = shape.channels
    let isLine = stride == 1 && input.pixelStride == channels && isDense
    let (runs, count) = isLine ? (1, shape.width * channels) : (shape.width, channels)
    unsafe (y + shape.count * imageStride).initializeMemory(as: UInt8.self, repeating: 0, count: 4)
    team.forEach(shape.count * lines) { _, index in
      let (image, line) = index.quotientAndRemainder(dividingBy: lines)
      let row = line - border.top
      var to = unsafe y + index * lineStride
      guard row >= 0, row < shape.height else {
        unsafe to.initializeMemory(as: UInt8.self, repeating: 0, count: lineStride)
        return
      }
      unsafe to.initializeMemory(as: UInt8.self, repeating: 0, count: border.left * pixelStride)
      unsafe to += border.left * pixelStride
      let first = (image * input.shape.height + row * stride) * input.shape.width
      var from = unsafe x + first * input.pixelStride
      for _ in 0..<runs {
        unsafe instructionSet.kernels.pointee.round(
          count, from, to.assumingMemoryBound(to: UInt16.self))
        unsafe from += stride * input.pixelStride
        unsafe to += isLine ? shape.width * pixelStride : pixelStride
      }
      unsafe to.initializeMemory(as: UInt8.self, repeating: 0, count: border.right * pixelStride)
    }
  }
}
