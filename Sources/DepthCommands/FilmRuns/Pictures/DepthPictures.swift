import DepthBase
import DepthImages
import DepthPipeline
import DepthVideo
import FrameStreams
import PictureFiles
import Synchronization

/// Each frame's depth as a picture, near = white, unless a color map is given.
final class DepthPictures: FramePictures {
  private let pipeline: DepthPipeline
  private let colorMap: ColorMap
  private let call: CallContext
  private let fixedRange: ClosedRange<Float>?
  private let range = Mutex(PictureRange())

  /// - Parameter fixedRange: Disparities for black and white; `nil` for those of the film.
  init(
    pipeline: DepthPipeline, colorMap: ColorMap, fixedRange: ClosedRange<Float>?, threads: Int
  ) {
    (self.pipeline, self.colorMap, self.fixedRange) = (pipeline, colorMap, fixedRange)
    call = CallContext(threads: threads)
  }

  func picture(
    _ frame: FrameDepth, change: FilmMotion.Change, turn: FrameTurn
  ) throws -> Image {
    // The range is that of the finished maps, which a calibration has turned into metres.
    let calibrated = try pipeline.calibrated(
      frame.depth, camera: nil, named: frame.name, mayBeEmpty: true)
    let range = try turn.inOrder(1) {
      fixedRange ?? self.range.withLock { $0.next(calibrated, isCut: change.isCut) }
    }
    let depth = try pipeline.finished(
      frame.depth, errors: frame.errors, guidedBy: frame.image, camera: nil, named: frame.name,
      mayBeEmpty: true, call: call
    ).stretched(over: frame.image, limits: pipeline.limits, call: call)
    return Image(
      height: depth.height, width: depth.width, pixels: depth.colored(colorMap, range))
  }

  func skip(_ turn: FrameTurn) throws { try turn.inOrder(1) {} }

  func save(into memory: inout FilmMemory) { memory.range = range.withLock { $0 } }

  func restore(from memory: FilmMemory) {
    if let saved = memory.range { range.withLock { $0 = saved } }
  }
}
