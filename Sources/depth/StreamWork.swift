import DepthErrors
import DepthImages
import DepthOptions
import DepthPipeline
import DepthVideo
import FrameStreams
import MonocularDepth
import PhotoRuns
import Synchronization
import SystemEssentials
import ThreadTeams

/// What `depth stream` does to each frame by itself.
struct StreamWork: Sendable {
  let pipeline: DepthPipeline
  /// Whether the map must have the photo's size, whatever the options say.
  let needsPhotoSize: Bool
  let threads: Int

  /// The network's map of a frame; `nil` for a frame that is damaged and can be stepped over.
  func estimated(_ frame: EncodedFrame) throws -> FrameDepth? {
    guard let image = try frame.imageUnlessDamaged() else { return nil }
    do {
      let estimate = try ThreadShare.run(of: threads) {
        try pipeline.estimate(of: image, named: frame.name, call: CallContext(threads: $0))
      }
      return FrameDepth(arrival: frame.arrival, image: image, depth: estimate.depth)
    } catch let error as DepthError {
      throw InputFailure(file: frame.name, reason: error.description)
    }
  }

  /// The map that goes out.
  func refined(_ frame: FrameDepth) throws -> FrameDepth {
    var frame = frame
    let call = CallContext(threads: threads)
    frame.depth = try pipeline.finished(
      frame.depth, guidedBy: frame.image, camera: nil, named: "standard input", call: call)
    if needsPhotoSize {
      frame.depth = try frame.depth.stretched(
        over: frame.image, limits: pipeline.limits, call: call)
    }
    return frame
  }
}

/// What `depth stream` does to frames in their order.
struct Joining: Sendable {
  var steadier: DepthSteadier?
  let fixedRange: ClosedRange<Float>?
  private var range = PictureRange()

  init(steadier: DepthSteadier?, fixedRange: ClosedRange<Float>?) {
    (self.steadier, self.fixedRange) = (steadier, fixedRange)
  }

  mutating func joined(_ frame: FrameDepth) throws -> FrameDepth {
    var frame = frame
    if let steadied = try steadier?.steadied(frame.depth, photo: frame.image) {
      frame.depth = steadied
    }
    frame.range = fixedRange ?? range.next(frame.depth, isCut: steadier?.hasRestarted ?? false)
    return frame
  }
}

/// A frame's bytes, ready to be written.
struct EncodedDepth: Sendable {
  let frame: FrameDepth
  let bytes: [UInt8]
}

/// Depth frames on standard output, in their order.
final class DepthFrameOutput: Sendable {
  private let encoder: DepthFrameEncoder
  private let clock = ContinuousClock()
  private let meter: Mutex<StreamMeter>

  init(encoder: DepthFrameEncoder) {
    self.encoder = encoder
    meter = Mutex(StreamMeter(start: ContinuousClock().now))
  }

  func encoded(_ frame: FrameDepth) -> [UInt8] {
    encoder.frame(frame.depth, photo: frame.image, range: frame.range)
  }

  /// Writes a frame, the first one with the stream's header.
  ///
  /// - Throws: ``ReaderGone``, or `DepthError` with code `unwritable`.
  func write(_ depth: EncodedDepth) throws {
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
  func skip() { meter.withLock { $0.countDamaged() } }

  /// - Parameter damaged: Frames that the reader stepped over.
  func summary(dropped: Int, damaged: Int) -> String {
    meter.withLock { $0.summary(dropped: dropped, damaged: damaged, now: clock.now) }
  }
}

extension EncodedFrame {
  /// The decoded frame; `nil` for one that is damaged while those behind it may be whole.
  func imageUnlessDamaged() throws -> Image? {
    do { return try image() } catch let error as DepthError
      where mayBeSkipped && error.code == .damaged
    {
      return nil
    }
  }
}
