package import DepthImages
package import DepthPipeline
import FrameRuns
import FrameStreams
import PhotoRuns
import ProcessLimits
import Synchronization

/// Frames on standard input → pictures on standard output.
package struct PictureStreamRun {
  package let options: PictureStreamOptions
  package let limits: ImageLimits
  package let threads: Int?
  package let isQuiet: Bool
  /// Quality of Motion JPEG.
  package let quality: Int
  package let colors: PictureColors

  package init(
    options: PictureStreamOptions, limits: ImageLimits, threads: Int?, isQuiet: Bool,
    quality: Int, colors: PictureColors
  ) {
    (self.options, self.limits, self.threads) = (options, limits, threads)
    (self.isQuiet, self.quality, self.colors) = (isQuiet, quality, colors)
  }

  /// Works until the stream ends.
  ///
  /// - Parameters:
  ///   - pipeline: For so many threads per frame.
  ///   - pictures: For frames per second and threads per frame.
  /// - Throws: `DepthError`; the status of Ctrl-C.
  package func run(
    pipeline: (_ threads: Int) throws -> DepthPipeline,
    pictures: (DepthPipeline, _ framesPerSecond: Double, _ threads: Int) -> any FramePictures
  ) throws {
    try Console.checkStandardOutputTakesBytes()
    let stop = StopFlag()
    Interruption.finishesOnFirst()
    let reader = try options.frames.reader(
      stop: stop, limits: limits, interpolatesChroma: true)
    let (rate, damaged, stored) = (options.frames.rate(of: reader), reader.damaged, reader.stored)
    let threads = try ThreadCount.checked(threads)
    let threadsPerFrame = options.queue == .latest ? threads : 1
    let pipeline = try pipeline(threadsPerFrame)
    let work = FilmWork(
      pipeline: pipeline, pictures: pictures(pipeline, rate.value ?? 30, threadsPerFrame),
      steadiness: options.steadiness, threads: threadsPerFrame,
      depthEvery: options.depthEvery ?? 1)
    let output = PictureOutput(
      format: options.to ?? .same, frames: stored, colors: colors, rate: rate,
      pixelAspect: reader.pixelAspect, quality: quality)
    let feed = try FrameFeed(reader, queue: options.queue)
    let lanes = FrameLanes(
      next: { try feed.next() },
      work: { frame, turn in
        let picture = try work.picture(of: frame, turn: turn)
        return try picture.map { try output.encoded($0, arrival: frame.arrival) }
      },
      deliver: { picture in
        guard let picture else { return output.skip() }
        do { try output.write(picture) } catch {
          // The source must not go on waiting for a reader that has gone.
          stop.stop()
          throw error
        }
      })
    defer {
      if !isQuiet {
        let summary = output.summary(dropped: feed.dropped, damaged: damaged.value)
        Console.note("depth: \(summary), \(work.precision)\n")
      }
    }
    do { try lanes.run(lanes: options.queue == .latest ? 1 : threads + 1) } catch is ReaderGone {}
    if Interruption.hasCome { throw Interruption.exitCode }
  }
}

/// Pictures on standard output, in their order.
final class PictureOutput: Sendable {
  struct Encoded: Sendable {
    let arrival: ContinuousClock.Instant
    let header, bytes: [UInt8]
  }

  private let format: PictureStreamFormat
  private let frames: FrameStorage
  private let colors: PictureColors
  private let rate, pixelAspect: Ratio
  private let quality: Int
  private let clock = ContinuousClock()
  private let meter: Mutex<StreamMeter>

  init(
    format: PictureStreamFormat, frames: FrameStorage, colors: PictureColors, rate: Ratio,
    pixelAspect: Ratio, quality: Int
  ) {
    (self.format, self.frames, self.colors) = (format, frames, colors)
    (self.rate, self.pixelAspect, self.quality) = (rate, pixelAspect, quality)
    meter = Mutex(StreamMeter(start: ContinuousClock().now))
  }

  func encoded(_ picture: Image, arrival: ContinuousClock.Instant) throws -> Encoded {
    let size = PixelSize(width: picture.width, height: picture.height)
    let encoder = PictureFrameEncoder(
      storage: format.storage(of: frames, colors: colors, size: size), rate: rate,
      pixelAspect: pixelAspect, quality: quality)
    return Encoded(
      arrival: arrival, header: encoder.header(size: size), bytes: try encoder.frame(picture))
  }

  /// Writes a picture, the first one with the stream's header.
  ///
  /// - Throws: ``ReaderGone``, or `DepthError` with code `unwritable`.
  func write(_ picture: Encoded) throws {
    if meter.withLock({ $0.frames }) == 0 { try PipedOutput.write(picture.header) }
    try PipedOutput.write(picture.bytes)
    meter.withLock { $0.count(arrival: picture.arrival, now: clock.now) }
  }

  /// Counts a frame that is damaged.
  func skip() { meter.withLock { $0.countDamaged() } }

  func summary(dropped: Int, damaged: Int) -> String {
    meter.withLock { $0.summary(dropped: dropped, damaged: damaged, now: clock.now) }
  }
}
