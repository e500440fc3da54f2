import DepthErrors
package import DepthImages
import DepthOptions
package import DepthPipeline
package import DepthVideo
package import FrameStreams
import MonocularDepth
import PhotoRuns
import Synchronization
import SystemEssentials
import ThreadTeams

/// What `depth stream` does to each frame by itself.
package struct StreamWork: Sendable {
  package let pipeline: DepthPipeline
  /// Whether the map must have the photo's size, whatever the options say.
  package let needsPhotoSize: Bool
  package let threads: Int

  /// The network's map of a frame; `nil` for a frame that is damaged and can be stepped over.
  package func estimated(_ frame: EncodedFrame) throws -> FrameDepth? {
    guard let image = try frame.imageUnlessDamaged() else { return nil }
    let estimate = try ThreadShare.run(of: threads) {
      try pipeline.estimate(of: image, named: frame.name, call: CallContext(threads: $0))
    }
    return FrameDepth(
      name: frame.name, arrival: frame.arrival, image: image, depth: estimate.depth,
      errors: estimate.expectedError)
  }

  /// The map that goes out.
  package func refined(_ frame: FrameDepth) throws -> FrameDepth {
    var frame = frame
    let call = CallContext(threads: threads)
    frame.depth = try pipeline.finished(
      frame.depth, errors: frame.errors, guidedBy: frame.image, camera: nil,
      named: "standard input", mayBeEmpty: pipeline.settings.minConfidence != nil, call: call)
    if needsPhotoSize {
      frame.depth = try frame.depth.stretched(
        over: frame.image, limits: pipeline.limits, call: call)
    }
    return frame
  }
}

/// What `depth stream` does to frames in their order.
package struct Joining: Sendable {
  package var temporalFilter: TemporalDepthFilter?
  package let fixedRange: ClosedRange<Float>?
  private var range = PictureRange()

  package init(temporalFilter: TemporalDepthFilter?, fixedRange: ClosedRange<Float>?) {
    (self.temporalFilter, self.fixedRange) = (temporalFilter, fixedRange)
  }

  /// - Parameter pipeline: The one that finishes the maps; the range is that of calibrated maps.
  package mutating func joined(
    _ frame: FrameDepth, pipeline: DepthPipeline
  ) throws -> FrameDepth {
    var frame = frame
    if let filtered = try temporalFilter?.filtered(frame.depth, photo: frame.image) {
      frame.depth = filtered
    }
    if let fixedRange {
      frame.range = fixedRange
    } else {
      let calibrated = try pipeline.calibrated(frame.depth, camera: nil, named: frame.name)
      frame.range = range.next(calibrated, isCut: temporalFilter?.hasRestarted ?? false)
    }
    return frame
  }
}

/// A frame's bytes, ready to be written.
package struct EncodedDepth: Sendable {
  package let frame: FrameDepth
  package let bytes: [UInt8]
}

/// Depth frames on standard output, in their order.
package final class DepthFrameOutput: Sendable {
  private let encoder: DepthFrameEncoder
  private let clock = ContinuousClock()
  private let meter: Mutex<StreamMeter>

  package init(encoder: DepthFrameEncoder) {
    self.encoder = encoder
    meter = Mutex(StreamMeter(start: ContinuousClock().now))
  }

  package func encoded(_ frame: FrameDepth) -> [UInt8] {
    encoder.frame(frame.depth, photo: frame.image, range: frame.range)
  }

  /// Writes a frame, the first one with the stream's header.
  ///
  /// - Throws: ``ReaderGone``, or `DepthError` with code `unwritable`.
  package func write(_ depth: EncodedDepth) throws {
    let frame = depth.frame
    if meter.withLock({ $0.frames }) == 0 {
      try PipedOutput.write(
        encoder.header(
          depth: PixelSize(width: frame.depth.width, height: frame.depth.height),
          photo: PixelSize(width: frame.image.width, height: frame.image.height)))
    }
    try PipedOutput.write(depth.bytes)
    meter.withLock { $0.count(arrival: frame.arrival, now: clock.now) }
  }

  /// Counts a frame that is damaged.
  package func skip() { meter.withLock { $0.countDamaged() } }

  /// - Parameter damaged: Frames that the reader stepped over.
  package func summary(dropped: Int, damaged: Int) -> String {
    meter.withLock { $0.summary(dropped: dropped, damaged: damaged, now: clock.now) }
  }
}

extension EncodedFrame {
  /// The decoded frame; `nil` for one that is damaged while those behind it may be whole.
  package func imageUnlessDamaged() throws -> Image? {
    do { return try image() } catch let error as DepthError
      where mayBeSkipped && error.code == .damaged
    {
      return nil
    }
  }
}
