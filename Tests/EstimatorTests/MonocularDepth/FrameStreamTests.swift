import DepthErrors
import DepthImages
import Foundation
import MonocularDepth
import Synchronization
import Testing
import _TestSupport

/// Streams of frames: order, bounded buffering, errors, cancellation.
@Suite struct FrameStreamTests {
  private static let loaded = Result {
    try DepthEstimator(WeightsSelection(named: ["default"]), threads: 2)
  }

  private static func estimator() throws -> DepthEstimator { try loaded.get() }

  /// Frames that differ, and how many of them were taken.
  private struct Frames: AsyncSequence, Sendable {
    struct Broken: Error, Equatable {}
    typealias Element = Image

    let count: Int
    var failsAtEnd = false
    let taken = Taken()

    final class Taken: Sendable {
      private let number = Atomic(0)
      func add() -> Int { number.add(1, ordering: .relaxed).newValue }
      var value: Int { number.load(ordering: .relaxed) }
    }

    struct AsyncIterator: AsyncIteratorProtocol {
      let frames: Frames
      var index = 0

      mutating func next() async throws -> Image? {
        guard index < frames.count else {
          if frames.failsAtEnd { throw Broken() }
          return nil
        }
        index += 1
        _ = frames.taken.add()
        return Frames.frame(index - 1)
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(frames: self) }

    static func frame(_ index: Int) -> Image {
      let image = testImage(height: 24, width: 32)
      return Image(height: 24, width: 32, pixels: image.pixels.map { $0 &+ UInt8(index * 9) })
    }
  }

  /// The maps one after the other, by blocking calls.
  private static func expected(_ count: Int) throws -> [DepthMap] {
    try (0..<count).map { try loaded.get().depth(of: Frames.frame($0), options: .unrefined) }
  }

  @Test(arguments: [1, 2, 5, nil] as [Int?]) func depthsComeInTheOrderOfFrames(ahead: Int?)
    async throws
  {
    let expected = try Self.expected(7)
    var maps: [DepthMap] = []
    for try await depth in try Self.estimator().depths(
      of: Frames(count: 7), options: .unrefined, ahead: ahead)
    {
      maps.append(depth)
    }
    #expect(maps == expected && Set(maps.map(\.values)).count == 7)
  }

  @Test func everyFrameComesWithItsEstimate() async throws {
    var index = 0
    for try await (photo, estimate) in try Self.estimator().estimates(
      of: Frames(count: 3), options: .unrefined)
    {
      #expect(photo == Frames.frame(index))
      #expect(try await Self.estimator().estimate(of: photo, options: .unrefined) == estimate)
      index += 1
    }
    #expect(index == 3)
  }

  @Test(arguments: [1, 3]) func noMoreFramesAreTakenThanAhead(ahead: Int)
    async throws
  {
    let frames = Frames(count: 12)
    var maps = try Self.estimator().depths(of: frames, options: .unrefined, ahead: ahead)
      .makeAsyncIterator()
    #expect(frames.taken.value == 0)
    for index in 1...12 {
      _ = try await maps.next()
      // What was taken: those given out, and as many ahead.
      #expect((index...index + ahead).contains(frames.taken.value))
      if index == 4 {
        // Room for the producer to go too far.
        while frames.taken.value < index + ahead { await Task.yield() }
        for _ in 0..<200 { await Task.yield() }
        #expect(frames.taken.value == index + ahead)
      }
    }
    #expect(try await maps.next() == nil)
    #expect(try await maps.next() == nil)
  }

  @Test func anErrorOfTheSourceComesAfterTheFramesBeforeIt() async throws {
    let frames = Frames(count: 5, failsAtEnd: true)
    var count = 0
    await #expect(throws: Frames.Broken()) {
      for try await _ in try Self.estimator().depths(of: frames, options: .unrefined) { count += 1 }
    }
    #expect(count == 5)
  }

  @Test func anErrorOfAnEstimateComesInItsPlaceAndEndsTheSequence() async throws {
    let large = testImage(height: 40, width: 40)
    let frames = AsyncStream<Image> { output in
      for image in [Frames.frame(0), Frames.frame(1), large, Frames.frame(2)] {
        output.yield(image)
      }
      output.finish()
    }
    var maps = try Self.estimator()
      .depths(
        of: frames,
        options: DepthOptions(refinement: .none, limits: ImageLimits(maximumPixels: 1000))
      ).makeAsyncIterator()
    _ = try await maps.next()
    _ = try await maps.next()
    do {
      _ = try await maps.next()
      Issue.record("no error for the third frame")
    } catch let error as DepthError {
      #expect(error.code == .tooLarge)
    }
    #expect(try await maps.next() == nil)
  }

  @Test func cancellingTheConsumerEndsAWaitForFrames() async throws {
    // A camera that gives one frame and then nothing, and says when nobody listens any more.
    let (frames, camera) = AsyncStream.makeStream(of: Image.self)
    let ended = AsyncStream.makeStream(of: Void.self)
    camera.onTermination = { _ in ended.continuation.finish() }
    camera.yield(Frames.frame(0))
    let first = AsyncStream.makeStream(of: Void.self)
    let estimator = try Self.estimator()
    let consumer = Task {
      for try await _ in estimator.depths(of: frames, options: .unrefined) {
        first.continuation.yield()
      }
    }
    for await _ in first.stream { break }
    consumer.cancel()
    await #expect(throws: CancellationError.self) { try await consumer.value }
    for await _ in ended.stream {}
  }

  @Test func aConsumerThatStopsEndsTheSource() async throws {
    let ended = AsyncStream.makeStream(of: Void.self)
    // Nothing here holds the source: one that is not being asked for a frame learns by being let go.
    func camera() -> AsyncStream<Image> {
      AsyncStream { camera in
        camera.onTermination = { _ in ended.continuation.finish() }
        for index in 0..<3 { camera.yield(Frames.frame(index)) }
      }
    }
    for try await _ in try Self.estimator().depths(of: camera(), options: .unrefined, ahead: 1) {
      break
    }
    for await _ in ended.stream {}
  }

  /// An application may compute on all threads of Swift's pool: calls and streams go on, for a consumer whose task is
  /// not on the pool.
  @Test func callsAndStreamsDoNotWaitForSwiftsPool() async throws {
    await #expect(processExitsWith: .success) {
      await withBusyPool {
        let estimator = try Self.loaded.get()
        let expected = try (0..<3).map {
          try estimator.depth(of: Frames.frame($0), options: .unrefined)
        }
        let isDone = DispatchSemaphore(value: 0)
        Task(executorPreference: OwnThreads()) {
          let first = try await estimator.depth(of: Frames.frame(0), options: .unrefined)
          var maps: [DepthMap] = []
          for try await depth in estimator.depths(of: Frames(count: 3), options: .unrefined) {
            maps.append(depth)
          }
          guard first == expected[0], maps == expected else { exit(EXIT_FAILURE) }
          isDone.signal()
        }
        isDone.wait()
      }
    }
  }

  /// Runs each job on a thread of its own.
  private final class OwnThreads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      Thread { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }.start()
    }
  }

  @Test(arguments: [0, -1, 1025, .min, .max]) func nonsenseIsAnError(ahead: Int) async throws {
    let frames = Frames(count: 1)
    await #expect(throws: DepthError.self) {
      for try await _ in try Self.estimator().depths(of: frames, options: .unrefined, ahead: ahead)
      {}
    }
    #expect(frames.taken.value == 0)
  }
}
