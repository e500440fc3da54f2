import DepthBase
import DepthImages
import FrameStreams
import MonocularDepth
import PictureFiles

/// Each frame's depth as a picture, near = white, unless a color map is given.
final class DepthPictures: FramePictures {
  private let pipeline: MapEstimation
  private let colorMap: ColorMap
  private let call: CallContext
  private let range: FrameRange

  /// - Parameter fixedRange: Disparities for black and white; `nil` for those of the film.
  init(
    pipeline: MapEstimation, colorMap: ColorMap, fixedRange: ClosedRange<Float>?, threads: Int
  ) {
    (self.pipeline, self.colorMap) = (pipeline, colorMap)
    range = FrameRange(fixedRange)
    call = CallContext(threads: threads)
  }

  func output(of frame: FrameDepth, steps: OrderedSteps) throws -> Image {
    let range = try range.next(frame, by: pipeline, steps)
    let depth = try frame.finished(by: pipeline, call: call).stretched(
      over: frame.image, limits: pipeline.options.limits, call: call)
    return Image(
      height: depth.height, width: depth.width, pixels: depth.colored(colorMap, range))
  }

  func skip(_ steps: OrderedSteps) throws { try steps.run(1) {} }

  func save(into memory: inout FilmMemory) { memory.range = range.saved }

  func restore(from memory: FilmMemory) {
    if let saved = memory.range { range.saved = saved }
  }
}
