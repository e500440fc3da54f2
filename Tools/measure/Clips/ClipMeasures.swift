import DepthImages
import SystemEssentials

/// Accuracy and temporal stability of the maps of a clip.
struct ClipMeasures: Sendable, Equatable {
  /// Mean over frames of the mean of abs(*d* − *t*) / *t*, and of the share of ratios below 1.25.
  let rel, delta1: Double
  /// Mean temporal alignment error of successive frames; `nil` for a clip of one frame.
  let tae: Double?
  /// Root mean square, over the flat pixels of successive frames, of the change of ln(*d* / *t*) from one frame
  /// to the next at the same point of the room, divided by √2: for independent frames the standard deviation
  /// of one. `nil` where no flat pixel is seen twice.
  let flicker: Double?
  /// See ``ClipMeasures/stepFrames(_:plain:truth:)``.
  let stepFrames: Int?

  /// - Parameters:
  ///   - maps: Metres, one for each frame.
  ///   - plain: The maps before they were filtered.
  init(_ maps: [DepthMap], plain: [DepthMap], truth: ClipTruth) {
    precondition(maps.count == truth.depths.count && plain.count == maps.count)
    var (rel, delta1) = (0.0, 0.0)
    for (map, truth) in zip(maps, truth.depths) {
      var (sum, close, count) = (0.0, 0, 0)
      for (d, t) in zip(map.values, truth.values) where map.hasValue(d) && truth.hasValue(t) {
        sum += Double(abs(d - t) / t)
        close += max(d / t, t / d) < 1.25 ? 1 : 0
        count += 1
      }
      rel += sum / Double(max(count, 1))
      delta1 += Double(close) / Double(max(count, 1))
    }
    self.rel = rel / Double(maps.count)
    self.delta1 = delta1 / Double(maps.count)
    let pairs = (1..<max(maps.count, 1)).filter { !truth.cuts.contains($0) }
    let errors = pairs.compactMap {
      temporalAlignmentError(
        maps[$0 - 1], truth.poses[$0 - 1], maps[$0], truth.poses[$0], camera: truth.camera)
    }
    tae = errors.isEmpty ? nil : errors.reduce(0, +) / Double(errors.count)
    flicker = Self.flicker(maps, pairs, truth)
    stepFrames = Self.stepFrames(maps, plain: plain, truth: truth)
  }

  private static func flicker(_ maps: [DepthMap], _ pairs: [Int], _ truth: ClipTruth) -> Double? {
    var (sum, count) = (0.0, 0)
    for frame in pairs {
      let flat = truth.flatPixels(frame)
      for y in 0..<truth.camera.height {
        for x in 0..<truth.camera.width where flat[y * truth.camera.width + x] {
          let at = y * truth.camera.width + x
          guard let before = truth.previousPixel(frame, y: y, x: x) else { continue }
          let now = log(maps[frame].values[at] / truth.depths[frame].values[at])
          let then = log(maps[frame - 1].values[before] / truth.depths[frame - 1].values[before])
          guard now.isFinite, then.isFinite else { continue }
          sum += Double((now - then) * (now - then))
          count += 1
        }
      }
    }
    return count > 0 ? (sum / Double(count) / 2).squareRoot() : nil
  }

  /// Frames until a step of depth is seen to nine tenths, 1 for at once.
  ///
  /// Counted are pixels of a still camera at which the true depth jumps by a quarter and then stays for six
  /// frames, and at which the maps before the filter have seen at least half of the jump: what a network does
  /// not see no filter can show. The response is the sum of the filtered changes over that of the plain ones.
  /// `nil` where there is no such pixel, or the response stays below.
  private static func stepFrames(
    _ maps: [DepthMap], plain: [DepthMap], truth: ClipTruth
  ) -> Int? {
    let after = 6
    var filtered = [Double](repeating: 0, count: after)
    var reference = filtered
    for frame in 1..<max(maps.count - after, 1)
    where !truth.cuts.contains(where: { (frame...frame + after).contains($0) })
      && truth.poses[frame - 1...frame + after - 1].allSatisfy({ $0 == truth.poses[frame] })
    {
      for at in truth.depths[frame].values.indices {
        func logTruth(_ frame: Int) -> Double { log(Double(truth.depths[frame].values[at])) }
        let step = logTruth(frame) - logTruth(frame - 1)
        guard abs(step) > log(1.25),
          (1..<after).allSatisfy({ abs(logTruth(frame + $0) - logTruth(frame)) < 0.05 })
        else { continue }
        let sign = step > 0 ? 1.0 : -1
        func change(_ maps: [DepthMap], _ n: Int) -> Double {
          sign * log(Double(maps[frame + n].values[at] / maps[frame - 1].values[at]))
        }
        let seen = (0..<after).map { change(plain, $0) }
        guard seen.allSatisfy({ $0 > abs(step) / 2 }) else { continue }
        for n in 0..<after {
          filtered[n] += change(maps, n)
          reference[n] += seen[n]
        }
      }
    }
    return zip(filtered, reference).enumerated()
      .first { $1.1 > 0 && $1.0 >= 0.9 * $1.1 }.map { $0.offset + 1 }
  }
}
