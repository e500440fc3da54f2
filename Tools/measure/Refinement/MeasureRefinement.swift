import ArgumentParser
import DepthBase
import DepthImages
import DepthRefinement
import Foundation

/// Times a refinement method on a map of 160 × 128 and a made-up photo.
struct MeasureRefinement: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refinement",
    abstract: "Best time of a few runs, in milliseconds, and the peak of memory.")

  @Option(help: "none, bilateral, gaussian or joint.") var method = RefinementMethod.Name.joint
  @Option(help: "Width of the photo.") var width = 4032
  @Option(help: "Height of the photo.") var height = 3024
  @Option(help: "Runs.") var runs = 5
  @Flag(help: "Take a map with soft edges.") var soft = false
  @Option var threads = 2

  func run() throws {
    let (map, photo, clock) = (map, photo, ContinuousClock())
    let times = try (0..<runs).map { _ in
      try clock.measure {
        _ = try map.refined(guidedBy: photo, method: .init(method), threads: threads)
      } / .milliseconds(1)
    }
    print(
      String(
        format: "%@%@ %d×%d, %d threads: %.1f ms, peak memory %d MB", method.rawValue,
        soft ? ", soft edges" : "", width, height, threads, times.min() ?? 0,
        PeakMemory.current.bytes >> 20))
  }

  /// Edges one pixel wide, or one ramp after another.
  private var map: DepthMap {
    let values = (0..<128 * 160).map { i -> Float in
      let (x, y) = (i % 160, i / 160)
      if soft { return 1 + Float(abs(x % 32 - 16)) / 8 }
      return (x / 20 + y / 16) % 2 == 0 ? 1 : 3
    }
    return DepthMap(height: 128, width: 160, unit: .metres, values: values)
  }

  /// Tiles of 64 pixels under a little noise.
  private var photo: Image {
    var seed: UInt32 = 1
    let pixels = (0..<height * width * 3).map { i -> UInt8 in
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return UInt8(((i / 3 % width / 64 + i / 3 / width / 64) % 2) * 90 + 60 + Int(seed >> 28))
    }
    return Image(height: height, width: width, pixels: pixels)
  }
}

extension RefinementMethod.Name: ExpressibleByArgument {}
