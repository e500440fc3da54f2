import DepthImages
import SystemEssentials
import Testing
import ViewSynthesis

/// Prints times for both eyes at 12 megapixels on two threads. `DEPTH_BENCHMARKS` runs this suite,
/// which should run alone and in a release build.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["DEPTH_BENCHMARKS"] != nil,
    "DEPTH_BENCHMARKS is not set"))
struct WarpBenchmarkTests {
  private func seconds(_ runs: Int, _ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    var best = Double.infinity
    for _ in 0..<runs {
      let start = clock.now
      try body()
      let (whole, parts) = (clock.now - start).components
      best = min(best, Double(whole) + Double(parts) * 1e-18)
    }
    return best
  }

  @Test("the default renderer is six times as fast as gathering")
  func defaultRendererIsSixTimesAsFastAsGathering() throws {
    let (height, width) = (3024, 4032)
    let photo = TestScenes.noise(height: height, width: width)
    // A floor rises towards the viewer, and things stand on the floor.
    let depth = DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height * width).map { index in
        let (y, x) = (index / width, index % width)
        let floor = 1.5 + 4 * Float(height - y) / Float(height)
        return x / 300 % 3 == 1 && y > height / 3 ? 1.2 + Float(x / 300) * 0.1 : floor
      })
    let warp = try seconds(7) { _ = try photo.stereoPair(depth: depth, threads: 2) }
    let normalized = depth.normalized().values
    let gather = seconds(1) {
      for shift: Float in [0.01, -0.01] {
        _ = gathered(
          photo.pixels, height: height, width: width, depth: normalized,
          increment: 1 / Float(width), maxShift: shift, threads: 2)
      }
    }
    print("12 MP, both eyes, 2 threads: warp \(warp) s, gather \(gather) s, 1 / \(gather / warp)")
    #expect(warp <= gather / 6)
  }
}
