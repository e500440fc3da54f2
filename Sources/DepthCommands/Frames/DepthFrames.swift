import DepthBase
import DepthImages
import DepthVideo
import FrameStreams
import MonocularDepth
import PictureFiles

/// Encoded depth of each frame.
final class DepthFrames: FrameMaker {
  private let estimation: MapEstimation
  private let encoder: DepthFrameEncoder
  /// Whether maps are resized to the frames' size.
  private let stretches: Bool
  private let range: FrameRange
  private let call: CallContext

  /// - Throws: `DepthError` if the request requires metres, but neither the network nor the
  ///   calibration produces metres.
  init(
    _ request: StreamRequest, of reader: FrameReader, _ input: FrameInput,
    by estimation: MapEstimation, threads: Int
  ) throws {
    let format = request.to
    if !format.isPicture { try estimation.unit.requireMetric(for: "--to \(format.rawValue)") }
    if request.pictureRange != nil { try estimation.unit.requireMetric(for: "--picture-range") }
    try estimation.options.calibration?.check(estimation.estimator.unit)
    encoder = DepthFrameEncoder(
      format: format, colorMap: request.colorMap ?? .inferno, rate: input.rate(of: reader),
      pixelAspect: reader.pixelAspect)
    (self.estimation, stretches) = (estimation, format == .beside)
    range = FrameRange(request.pictureRange?.disparities)
    call = CallContext(threads: threads)
  }

  func output(of frame: FrameDepth, steps: OrderedSteps) throws -> StreamRun.Output {
    let range = try range.next(frame, by: estimation, steps)
    var depth = try frame.finished(by: estimation, call: call)
    if stretches {
      depth = try depth.stretched(over: frame.image, limits: estimation.options.limits, call: call)
    }
    let size = PixelSize(width: depth.width, height: depth.height)
    return StreamRun.Output(
      header: encoder.header(
        depth: size, photo: PixelSize(width: frame.image.width, height: frame.image.height)),
      bytes: encoder.frame(depth, photo: frame.image, range: range), size: size)
  }

  func skip(_ steps: OrderedSteps) throws { try steps.run(1) {} }
}
