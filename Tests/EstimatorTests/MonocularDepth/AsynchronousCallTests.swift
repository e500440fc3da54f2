import DepthBase
import DepthErrors
import DepthImages
import DepthRefinement
import Foundation
import Synchronization
import Testing
import ViewSynthesis
import _TestSupport

@testable import MonocularDepth

/// Asynchronous calls: results of blocking calls, progress, cancellation and limits.
@Suite struct AsynchronousCallTests {
  static let photo = testImage(height: 96, width: 128)
  static func estimator() throws -> DepthEstimator {
    try DepthEstimator(WeightsSelection(named: ["default"]), threads: 2)
  }

  /// The reported shares, in order.
  private final class Shares: Sendable {
    private let shares = Mutex<[Double]>([])
    func report(_ share: Double) { shares.withLock { $0.append(share) } }
    var all: [Double] { shares.withLock { $0 } }
  }

  /// The blocking calls. Inside an `async` function, Swift would choose the asynchronous calls.
  private static func blocking() throws -> (depth: DepthMap, sharp: DepthMap, pair: StereoPair) {
    let estimator = try estimator()
    let depth = try estimator.depth(of: photo, options: .unrefined)
    let sharp = try depth.refined(guidedBy: photo, threads: 2)
    return (depth, sharp, try photo.stereoPair(depth: sharp, options: StereoOptions()))
  }

  @Test("asynchronous calls equal blocking calls to the bit")
  func theyHaveTheBitsOfBlockingCallsAndReportProgress() async throws {
    let expected = try Self.blocking()
    let (load, run, filter, warp) = (Shares(), Shares(), Shares(), Shares())
    let estimator = try await DepthEstimator.load(.compact, threads: 2, progress: load.report)
    let depth = try await estimator.depth(of: Self.photo, options: .unrefined, progress: run.report)
    let sharp = try await depth.refined(
      guidedBy: Self.photo, threads: 2, progress: filter.report)
    let pair = try await Self.photo.stereoPair(depth: sharp, progress: warp.report)
    #expect(depth == expected.depth)
    #expect(sharp == expected.sharp && pair == expected.pair)
    for shares in [load.all, run.all, filter.all] {
      #expect(shares == shares.sorted() && shares.first == 0 && shares.last == 1)
      #expect(shares.count >= 4)
    }
    #expect(warp.all.contains(1))
  }

  @Test("a refined estimate equals its separate steps")
  func finishedMapsAreThoseOfTheSteps() async throws {
    let estimator = try Self.estimator()
    let network = try await estimator.depth(of: Self.photo, options: .unrefined)
    let sharp = try await network.refined(guidedBy: Self.photo, threads: 2)
    let shares = Shares()
    #expect(try await estimator.depth(of: Self.photo, progress: shares.report) == sharp)
    #expect(shares.all == shares.all.sorted() && shares.all.first == 0 && shares.all.last == 1)
  }

  @Test("twelve tasks with one estimator get equal maps")
  func manyTasksGetEqualMaps() async throws {
    let estimator = try await DepthEstimator.load(threads: 2)
    let expected = try await estimator.depth(of: Self.photo, options: .unrefined)
    try await withThrowingTaskGroup(of: DepthMap.self) { group in
      for _ in 0..<12 {
        group.addTask { try await estimator.depth(of: Self.photo, options: .unrefined) }
      }
      for try await depth in group { #expect(depth == expected) }
    }
    // Workspaces are reused by calls with any number of threads.
    #expect(
      estimator.memory.idle.read { $0.count }
        <= max(2, ProcessInfo.processInfo.activeProcessorCount))
  }

  /// The progress handler cancels the task, so the test needs no clock. A run that did not check
  /// for cancellation would report all steps.
  @Test("a cancelled run ends between layers") func aRunEndsBetweenLayers() async throws {
    let estimator = try Self.estimator()
    let steps = Shares()
    _ = try await estimator.depth(of: Self.photo, options: .unrefined, progress: steps.report)
    let seen = Shares()
    let task = Mutex<Task<DepthMap, any Error>?>(nil)
    let gate = AsyncStream.makeStream(of: Void.self)
    let work = Task {
      for await _ in gate.stream { break }
      return try await estimator.depth(of: Self.photo, options: .unrefined) { share in
        seen.report(share)
        if share > 0.3 { task.withLock { $0?.cancel() } }
      }
    }
    task.withLock { $0 = work }
    gate.continuation.yield()
    await #expect(throws: CancellationError.self) { try await work.value }
    #expect(seen.all.count < steps.all.count / 2 + 2 && seen.all.count > 3)
    // The next run with the workspace is complete.
    let after = try await estimator.depth(of: Self.photo, options: .unrefined)
    #expect(try await estimator.depth(of: Self.photo, options: .unrefined) == after)
  }

  @Test("a cancelled task computes nothing") func aCancelledTaskBeginsNothing() async throws {
    let estimator = try Self.estimator()
    let depth = try await estimator.depth(of: Self.photo, options: .unrefined)
    let shares = Shares()
    let calls: [@Sendable () async throws -> Void] = [
      {
        _ = try await estimator.depth(of: Self.photo, options: .unrefined, progress: shares.report)
      },
      { _ = try await DepthEstimator.load(progress: shares.report) },
      { _ = try await depth.refined(guidedBy: Self.photo, progress: shares.report) },
      { _ = try await Self.photo.stereoPair(depth: depth, progress: shares.report) },
      { try await estimator.withoutBlocking { shares.report(1) } },
    ]
    for call in calls {
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        try await call()
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(shares.all.isEmpty)
  }

  @Test("limits of pixels and memory hold in each call") func limitsOfACallAreKept() async throws {
    let estimator = try Self.estimator()
    let depth = try await estimator.depth(of: Self.photo, options: .unrefined)
    let few = ImageLimits(maximumPixels: 96 * 128 - 1)
    let little = ImageLimits(maximumBytes: 1_000_000)
    typealias Call = @Sendable (ImageLimits) async throws -> Void
    let calls: [Call] = [
      {
        _ = try await estimator.depth(
          of: Self.photo, options: DepthOptions(refinement: .none, limits: $0))
      },
      { _ = try await depth.refined(guidedBy: Self.photo, limits: $0) },
      { _ = try await Self.photo.stereoPair(depth: depth, limits: $0) },
    ]
    for call in calls {
      let many = await #expect(throws: DepthError.self) { try await call(few) }
      #expect(many?.code == .tooLarge)
      let much = await #expect(throws: DepthError.self) { try await call(little) }
      #expect(much?.code == .insufficientMemory)
      #expect(much?.message.contains("1.0 MB are allowed") == true)
    }
    _ = try await estimator.depth(
      of: Self.photo,
      options: DepthOptions(
        refinement: .none, limits: ImageLimits(maximumPixels: 96 * 128, maximumBytes: 1 << 30)))
  }

  @Test("a map is copied only into a large enough buffer")
  func depthGoesIntoACallersBuffer() throws {
    let estimator = try Self.estimator()
    let expected = try estimator.depth(of: Self.photo, options: .unrefined)
    var buffer = [Float](repeating: 0, count: PackagedMap.area + 1)
    var span = buffer.mutableSpan
    try expected.copyValues(into: &span)
    #expect(Array(buffer.dropLast()) == expected.values)
    #expect(buffer.last == 0)
    var small = [Float](repeating: 0, count: PackagedMap.area - 1)
    #expect(throws: DepthError.self) {
      var span = small.mutableSpan
      try expected.copyValues(into: &span)
    }
  }
}
