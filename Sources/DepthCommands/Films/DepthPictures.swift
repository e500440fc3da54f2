import DepthBase
import DepthImages
import DepthVideo
import FrameStreams
import MonocularDepth
import PictureFiles

/// Pictures of each frame's depth; near is white unless a color map is given.
final class DepthPictures: FramePictures {
  private let estimation: MapEstimation
  private let colorMap: ColorMap
  private let call: CallContext
  private let range: FrameRange

  /// - Parameter fixedRange: Disparities of black and white; `nil` for a range that follows the
  ///   film.
  init(
    estimation: MapEstimation, colorMap: ColorMap, fixedRange: ClosedRange<Float>?, threads: Int
  ) {
    (self.estimation, self.colorMap) = (estimation, colorMap)
    range = FrameRange(fixedRange)
    call = CallContext(threads: threads)
  }

  func output(of frame: FrameDepth, steps: OrderedSteps) throws -> Image {
    let range = try range.next(frame, by: estimation, steps)
    let depth = try frame.finished(by: estimation, call: call).stretched(
      over: frame.image, limits: estimation.options.limits, call: call)
    return Image(
      height: depth.height, width: depth.width, pixels: depth.colored(colorMap, range))
  }

  func skip(_ steps: OrderedSteps) throws { try steps.run(1) {} }

  func save(into memory: inout FilmMemory) { memory.range = range.saved }

  func restore(from memory: FilmMemory) {
    if let saved = memory.range { range.saved = saved }
  }
}
