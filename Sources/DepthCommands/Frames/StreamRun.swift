import DepthBase
import DepthImages
import FrameStreams
import MonocularDepth
import Synchronization

/// Frames on standard input → frames on standard output: the run of commands with streams.
struct StreamRun {
  /// A frame of the output.
  struct Output: Sendable {
    /// Header before the stream's first frame.
    let header: [UInt8]
    let bytes: [UInt8]
    /// The size of a depth map; `nil` for pictures.
    var size: PixelSize?
  }

  /// The forms in which the number and the time of each frame are given.
  struct Stamps {
    /// A header before the frame.
    var hasHeader = false
    /// A line of JSON on standard error.
    var hasLine = false
  }

  /// Makes the output of a frame; `nil` for one that is damaged. Called on several threads at once.
  typealias Work = @Sendable (EncodedFrame, OrderedSteps) throws -> Output?

  let frames: FrameInput
  let queue: FrameQueue
  let limits: ImageLimits
  let threads: Int?
  let isQuiet: Bool
  var stamps = Stamps()

  /// Works until the stream ends.
  ///
  /// - Parameters:
  ///   - interpolatesChroma: Whether pixels between two samples of chroma get some of both.
  ///   - makesViews: Whether each frame becomes a pair of views.
  ///   - prepare: Loads the network for a number of threads per frame. Returns its arithmetic and the work on frames.
  /// - Throws: `DepthError`; the status of Ctrl-C.
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
    // Frames beside each other use all processors without waiting for one another; a single one, whose
    // age counts, gets them all.
    let (precision, work) = try prepare(reader, queue == .latest ? threads : 1)
    let clock = ContinuousClock()
    let start = clock.now
    let meter = Mutex(StreamMeter(start: start))
    let rate = queue == .latest ? nil : frames.framesPerSecond(of: reader)
    let source = Mutex(reader)
    let next: @Sendable () throws -> EncodedFrame? = { try source.withLock { try $0.next() } }
    // Only the newest of the frames that wait is kept, or the source waits.
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
          // The source must not go on waiting for a reader that has gone.
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
    // One worker more than processors, for those that wait for their turn or for a frame.
    do { try workers.run(threads: queue == .latest ? 1 : threads + 1) } catch is ReaderGone {}
    if Interruption.hasCome { throw RunStatus.interrupted }
  }
}
