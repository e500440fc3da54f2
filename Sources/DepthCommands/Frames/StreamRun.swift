import DepthBase
import DepthImages
import FrameStreams
import MonocularDepth
import Synchronization

/// The run of a streaming command, with frames from standard input to standard output.
struct StreamRun {
  struct Output: Sendable {
    /// Header of the stream, which precedes the first frame.
    let header: [UInt8]
    let bytes: [UInt8]
    /// The size of a depth map; `nil` for pictures.
    var size: PixelSize?
  }

  /// The places in which each frame's number and time are written.
  struct Stamps {
    /// A header before the frame.
    var hasHeader = false
    /// A line of JSON on standard error.
    var hasLine = false
  }

  /// Makes the output of a frame; `nil` for a damaged frame. Called concurrently on several threads.
  typealias Work = @Sendable (EncodedFrame, OrderedSteps) throws -> Output?

  let frames: FrameInput
  let queue: FrameQueue
  let limits: ImageLimits
  let threads: Int?
  let isQuiet: Bool
  var stamps = Stamps()

  /// Processes frames until the stream ends.
  ///
  /// - Parameters:
  ///   - interpolatesChroma: Whether pixels between two chroma samples are interpolated.
  ///   - makesViews: Whether each frame becomes a pair of views.
  ///   - prepare: Loads the network for a number of threads per frame, and returns the network's arithmetic and the
  ///     work on frames.
  /// - Throws: `DepthError`; the exit status after Ctrl-C.
  func run(
    interpolatesChroma: Bool = false, makesViews: Bool = false,
    _ prepare: (FrameReader, _ threads: Int) throws -> (precision: Arithmetic, work: Work)
  ) throws {
    try Console.checkStandardOutputTakesBytes()
    let stop = StopFlag()
    Interruption.finishesOnFirst()
    let reader = try frames.reader(
      stop: stop, limits: limits, interpolatesChroma: interpolatesChroma, makesViews: makesViews)
    let damaged = reader.damaged
    let threads = try ThreadCount.checked(threads)
    // Concurrent frames with one thread each use all processors without synchronization. With `latest`, the age of a
    // frame is critical, so one frame at a time uses all threads.
    let (precision, work) = try prepare(reader, queue == .latest ? threads : 1)
    let clock = ContinuousClock()
    let start = clock.now
    let meter = Mutex(StreamMeter(start: start))
    let rate = queue == .latest ? nil : frames.framesPerSecond(of: reader)
    let source = Mutex(reader)
    let next: @Sendable () throws -> EncodedFrame? = { try source.withLock { try $0.next() } }
    // With `latest`, only the newest waiting frame is kept. Otherwise the source waits.
    let newest = queue == .latest ? Channel<EncodedFrame>(policy: .keepNewest) : nil
    try newest?.startFilling("frames", from: next)
    let workers = FrameWorkers(
      next: { if let newest { try newest.receive() } else { try next() } },
      work: { frame, steps in
        try work(frame, steps).map { (output: $0, index: frame.index, arrival: frame.arrival) }
      },
      deliver: { made in
        guard let (output, index, arrival) = made else {
          return meter.withLock { $0.countDamaged() }
        }
        do {
          if meter.withLock({ $0.frames }) == 0 { try Console.write(output.header) }
          var time = StreamTime(rate: rate, start: start)
          time.take(frame: index, arrival: arrival)
          let stamp = output.size.map { FrameStamp(frame: index, time: time.now, size: $0) }
          if stamps.hasHeader, let stamp { try Console.write(stamp.header) }
          try Console.write(output.bytes)
          if stamps.hasLine, let stamp { Console.log(try jsonLine(stamp)) }
        } catch {
          // The source must not wait for a reader that has ended.
          stop.stop()
          throw error
        }
        meter.withLock { $0.count(arrival: arrival, now: clock.now) }
      })
    defer {
      if !isQuiet {
        let summary = meter.withLock {
          $0.summary(dropped: newest?.dropped ?? 0, damaged: damaged.value, now: clock.now)
        }
        Console.note("\(summary), \(precision.rawValue)")
      }
    }
    // One worker more than processors, since some workers wait for their turn or for a frame.
    do { try workers.run(threads: queue == .latest ? 1 : threads + 1) } catch is ReaderGone {}
    if Interruption.hasCome { throw RunStatus.interrupted }
  }
}
