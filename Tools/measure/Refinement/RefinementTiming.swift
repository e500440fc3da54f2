import ArgumentParser
import DepthBase
import DepthImages
import DepthRefinement
import Dispatch
import Foundation

/// What is timed: a map of 160 × 128 and a made-up photo.
struct TimedPicture: ParsableArguments {
  @Option(help: "Width of the photo.") var width = 4032
  @Option(help: "Height of the photo.") var height = 3024
  @Option(help: "Runs.") var runs = 5
  @Flag(help: "Take a map with soft edges.") var soft = false

  /// Edges one pixel wide, or one ramp after another.
  var map: DepthMap {
    let soft = soft
    let values = (0..<128 * 160).map { i -> Float in
      let (x, y) = (i % 160, i / 160)
      if soft { return 1 + Float(abs(x % 32 - 16)) / 8 }
      return (x / 20 + y / 16) % 2 == 0 ? 1 : 3
    }
    return DepthMap(height: 128, width: 160, unit: .metres, values: values)
  }

  /// Tiles of 64 pixels under a little noise.
  var photo: Image {
    let (height, width) = (height, width)
    var seed: UInt32 = 1
    let pixels = (0..<height * width * 3).map { i -> UInt8 in
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return UInt8(((i / 3 % width / 64 + i / 3 / width / 64) % 2) * 90 + 60 + Int(seed >> 28))
    }
    return Image(height: height, width: width, pixels: pixels)
  }
}

/// Milliseconds that refining takes.
private func milliseconds(
  _ map: DepthMap, _ photo: Image, _ method: RefinementMethod, threads: Int
) throws -> Double {
  let start = DispatchTime.now().uptimeNanoseconds
  let result = try map.refined(guidedBy: photo, method: method, threads: threads)
  let time = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
  precondition(result.values.count == photo.height * photo.width)
  return time
}

extension MeasureRefinement {
  /// Prints the best of a few runs, in milliseconds, and the peak of memory.
  struct Time: ParsableCommand {
    @OptionGroup var options: MethodOptions
    @OptionGroup var picture: TimedPicture

    func run() throws {
      let (method, map, photo) = (try options.resolved(), picture.map, picture.photo)
      let times = try (0..<picture.runs).map { _ in
        try milliseconds(map, photo, method, threads: options.threads)
      }
      print(
        String(
          format: "%@ %d×%d, %d threads: %.1f ms, peak memory %@", options.method, photo.width,
          photo.height, options.threads, times.min() ?? 0, "\(PeakMemory.current.bytes >> 20) MB"))
    }
  }

  /// Prints how long `joint` takes beside `bilateral`: in turn, in one process, medians and the first call.
  struct Compare: ParsableCommand {
    @OptionGroup var options: MethodOptions
    @OptionGroup var picture: TimedPicture

    func run() throws {
      let (method, map, photo) = (try options.resolved(), picture.map, picture.photo)
      let threads = options.threads
      var (ours, windows): ([Double], [Double]) = ([], [])
      for _ in 0...picture.runs {
        ours.append(try milliseconds(map, photo, method, threads: threads))
        windows.append(try milliseconds(map, photo, .init(.bilateral), threads: threads))
      }
      func median(_ times: [Double]) -> Double { times.dropFirst().sorted()[(times.count - 1) / 2] }
      print(
        String(
          format: """
            %d×%d, %d threads, %d runs in turn
            %@: first %.1f ms, median %.1f ms
            bilateral: first %.1f ms, median %.1f ms
            ratio: first 1/%.1f, median 1/%.1f
            peak memory %@
            """,
          photo.width, photo.height, threads, picture.runs, options.method, ours[0], median(ours),
          windows[0], median(windows), windows[0] / ours[0], median(windows) / median(ours),
          "\(PeakMemory.current.bytes >> 20) MB"))
    }
  }
}
