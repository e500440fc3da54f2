import ArgumentParser
import DepthErrors
import DepthImages
import DepthVideo
import MonocularDepth
import ProximityAlerts
import Testing
import _TestSupport

@testable import DepthCommands

/// `--max-pixels` applies to the estimator of frames, not only to their reader.
@Suite struct FrameLimitsTests {
  private static let options = ["--from", "rgb24", "--size", "64x48"]

  @Test("stream estimates within --max-pixels")
  func streamsEstimateAndRefineWithinTheLimit() throws {
    let options = try Stream.parse(Self.options + ["--max-pixels", "4000000000"])
    #expect(
      try options.frameEstimation.loaded(threads: 1).options.limits.maximumPixels == 4_000_000_000
    )
    #expect(
      try Stream.parse(Self.options).frameEstimation.loaded(threads: 1).options.limits
        == ImageLimits())
  }

  @Test("watch estimates within --max-pixels") func watchingEstimatesWithinTheLimit() throws {
    let options = try Watch.parse(Self.options + ["--max-pixels", "4000000000"])
    #expect(try options.frameEstimation.loaded().options.limits.maximumPixels == 4_000_000_000)
  }

  @Test("a watcher keeps its pipeline's limits")
  func theWatcherUsesTheLimitsOfItsPipeline() throws {
    let image = testImage(height: 48, width: 64)
    func events(maximumPixels: Int) throws -> [ProximityEvent] {
      var options = try Watch.parse(Self.options)
      options.limits.maxPixels = maximumPixels
      var watcher = FrameWatcher(
        estimation: try options.frameEstimation.loaded(), smoothing: .none,
        monitor: options.rule.monitor,
        scanRows: nil)
      return try watcher.observe(image, named: "frame 0", at: 0)
    }
    let error = #expect(throws: DepthError.self) {
      try events(maximumPixels: 48 * 64 - 1)
    }
    #expect(
      error?.message.contains("expected at most 3071") == true, "\(String(describing: error))")
    _ = try events(maximumPixels: 48 * 64)
  }
}
