/// A gap in one row of a synthesised view: targets `start ..< end` that no source pixel reaches.
struct HoleRun: Sendable {
  var row, start, end: Int
  /// How many pixels to the left and to the right of the gap belong to the surface that continues
  /// behind it; 0 when that side is an object in front, or the frame's edge.
  var leftReach, rightReach: Int

  var reachesBackground: Bool { leftReach > 0 || rightReach > 0 }
}

/// Finds out which sides of a gap are background: the farther of the two, or both when they are
/// about as far. Works in the eye's own coordinates, in which the warp ran.
struct HoleBackground {
  var width: Int
  var source, shift: UnsafePointer<Int32>
  var mirrored: Bool

  /// Pixels beside a hole that may lend their colour.
  static let reach = 16
  /// Shifts within a pixel of each other are one surface.
  static let tolerance: Int32 = 64

  func run(row: Int, start: Int, end: Int) -> HoleRun {
    let (first, last) = mirrored ? (width - end, width - start) : (start, end)
    let left = first > 0 ? seenShift(first - 1) : nil
    let right = last < width ? seenShift(last) : nil
    var run = HoleRun(row: row, start: start, end: end, leftReach: 0, rightReach: 0)
    guard let left, let right else { return run }
    let leftReach = left <= right + Self.tolerance ? count(from: first - 1, by: -1, like: left) : 0
    let rightReach = right <= left + Self.tolerance ? count(from: last, by: 1, like: right) : 0
    (run.leftReach, run.rightReach) =
      mirrored ? (rightReach, leftReach) : (leftReach, rightReach)
    return run
  }

  private func seenShift(_ target: Int) -> Int32 {
    shift[min(width - 1, Int(source[target] + 32) >> 6)]
  }

  private func count(from start: Int, by step: Int, like wanted: Int32) -> Int {
    var count = 0
    var target = start
    while count < Self.reach, target >= 0, target < width, source[target] >= 0,
      abs(seenShift(target) - wanted) <= Self.tolerance
    {
      count += 1
      target += step
    }
    return count
  }
}

extension HoleRun {
  /// Fills the gap from its background. The pixel at distance k from an edge gets the mean of the
  /// k + 1 background pixels beyond that edge, so that detail fades into the gap instead of being
  /// drawn out into streaks; between two background sides the means are mixed by distance.
  func fill(_ pixels: UnsafeMutablePointer<UInt8>, stretched: Bool) {
    let length = end - start
    for channel in 0..<3 {
      var leftSum = 0
      if leftReach > 0 {
        for k in 0..<length {
          if k < leftReach { leftSum += Int(pixels[(start - 1 - k) * 3 + channel]) }
          let count = min(k + 1, leftReach)
          let value =
            stretched
            ? Int(pixels[(start - 1) * 3 + channel]) : (leftSum + count / 2) / count
          pixels[(start + k) * 3 + channel] = UInt8(value)
        }
      }
      var rightSum = 0
      if rightReach > 0 {
        for k in 0..<length {
          if k < rightReach { rightSum += Int(pixels[(end + k) * 3 + channel]) }
          let count = min(k + 1, rightReach)
          let value =
            stretched ? Int(pixels[end * 3 + channel]) : (rightSum + count / 2) / count
          let at = (end - 1 - k) * 3 + channel
          guard leftReach > 0 else {
            pixels[at] = UInt8(value)
            continue
          }
          // The left mean weighs k + 1, the right one its own distance to the left edge.
          let mixed = Int(pixels[at]) * (k + 1) + value * (length - k)
          pixels[at] = UInt8((mixed + (length + 1) / 2) / (length + 1))
        }
      }
    }
  }

  /// Fills a gap at the frame's edge with the mirror image of what lies beside it.
  func reflect(
    _ pixels: UnsafeMutablePointer<UInt8>, mask: UnsafePointer<UInt8>, width: Int, stretched: Bool
  ) {
    guard start > 0 || end < width else {
      // Nothing of the row is in view.
      return (pixels + start * 3).update(repeating: 128, count: (end - start) * 3)
    }
    for k in 0..<end - start {
      // Without a left neighbour the gap is walked from its right end.
      let target = start > 0 ? start + k : end - 1 - k
      let beside = start > 0 ? start - 1 : end
      let wanted = start > 0 ? start - 1 - k : end + k
      let isSeen = wanted >= 0 && wanted < width && mask[wanted] == 0
      let from = isSeen && !stretched ? wanted : beside
      for channel in 0..<3 { pixels[target * 3 + channel] = pixels[from * 3 + channel] }
    }
  }
}

/// Smooths filled gaps down the columns, over invented pixels only: rows are filled one by one, and
/// their differences show as streaks. Seven binomial taps.
func smoothHolesDown(
  _ runs: [[HoleRun]], eye: WarpedEye, height: Int, width: Int, threads: Int
) {
  let weights = [1, 6, 15, 20, 15, 6, 1]
  let smoothed = UnsafeMutablePointer<[UInt8]>.allocate(capacity: runs.count)
  smoothed.initialize(repeating: [], count: runs.count)
  defer {
    smoothed.deinitialize(count: runs.count)
    smoothed.deallocate()
  }
  // The first loop only reads the view; the second writes each gap from its own chunk's colours.
  nonisolated(unsafe) let (eye, colours) = (eye, smoothed)
  parallelFor(runs.count, threads: threads) { chunks in
    for chunk in chunks {
      var chunkColours: [UInt8] = []
      for run in runs[chunk] where run.reachesBackground {
        let rows = max(0, run.row - 3)...min(height - 1, run.row + 3)
        for x in run.start..<run.end {
          var (red, green, blue, total) = (0, 0, 0, 0)
          for y in rows where eye.holes[y * width + x] != 0 {
            let weight = weights[y - run.row + 3]
            let pixel = eye.pixels + (y * width + x) * 3
            red += weight * Int(pixel[0])
            green += weight * Int(pixel[1])
            blue += weight * Int(pixel[2])
            total += weight
          }
          for sum in [red, green, blue] { chunkColours.append(UInt8((sum + total / 2) / total)) }
        }
      }
      colours[chunk] = chunkColours
    }
  }
  parallelFor(runs.count, threads: threads) { chunks in
    for chunk in chunks {
      var next = 0
      colours[chunk].withUnsafeBufferPointer { colours in
        for run in runs[chunk] where run.reachesBackground {
          let count = (run.end - run.start) * 3
          (eye.pixels + (run.row * width + run.start) * 3).update(
            from: colours.baseAddress! + next, count: count)
          next += count
        }
      }
    }
  }
}
