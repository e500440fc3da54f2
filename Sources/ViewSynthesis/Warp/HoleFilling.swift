import DepthBase

/// A gap in one row of a synthesized view: targets `start ..< end` that no source pixel reaches.
struct HoleRun: Sendable {
  var row, start, end: Int
  /// Which of the pixels beside the gap belong to the surface that continues behind it; at the
  /// frame's edge the only one there is.
  var takesLeft, takesRight: Bool
}

/// Finds out which sides of a gap are background: the farther of the two, or both when they are
/// about as far. Works in the eye's own coordinates, in which the warp ran.
struct HoleBackground {
  var seen: SeenLine
  var shift: [Int32]
  var mirrored: Bool

  /// Shifts within a pixel of each other are one surface.
  static let tolerance: Int32 = 64

  func run(row: Int, start: Int, end: Int) -> HoleRun {
    let width = seen.width
    let (first, last) = mirrored ? (width - end, width - start) : (start, end)
    let left = first > 0 ? seenShift(first - 1) : nil
    let right = last < width ? seenShift(last) : nil
    var takesLeft = left != nil
    var takesRight = right != nil
    if let left, let right {
      takesLeft = left <= right + Self.tolerance
      takesRight = right <= left + Self.tolerance
    }
    return HoleRun(
      row: row, start: start, end: end, takesLeft: mirrored ? takesRight : takesLeft,
      takesRight: mirrored ? takesLeft : takesRight)
  }

  private func seenShift(_ target: Int) -> Int32 {
    shift[min(seen.width - 1, Int(seen[target] + 32) >> 6)]
  }
}

extension HoleRun {
  /// Fills the gap with the background pixel beside it; between two, with both, mixed by distance
  /// or, `stretched`, half of the gap each.
  func fill(_ pixels: inout MutableSpan<UInt8>, stretched: Bool) {
    let length = end - start
    for channel in 0..<3 {
      // A row that shows nothing at all is gray.
      let left = takesLeft ? Int(pixels[(start - 1) * 3 + channel]) : 128
      let right = takesRight ? Int(pixels[end * 3 + channel]) : 128
      for k in 0..<length {
        // The left pixel's part of `length + 1`.
        var part = takesLeft ? (takesRight ? length - k : length + 1) : 0
        if takesLeft && takesRight && stretched { part = 2 * k < length ? length + 1 : 0 }
        if !takesLeft && !takesRight { part = length + 1 }
        let mixed = left * part + right * (length + 1 - part)
        pixels[(start + k) * 3 + channel] = UInt8((mixed + (length + 1) / 2) / (length + 1))
      }
    }
  }
}

/// Smooths filled gaps down the columns, over invented pixels only, the more the farther from the
/// background they are: binomial weights of radius 1 beside it, 2 one pixel on, up to 7.
///
/// Rows are filled one by one, so differences between them are drawn out into streaks. The best estimate for a
/// place in the gap is the mean of the pixels at the gap's edge over about the distance of the place, not the value
/// of the one pixel in the same row.
func smoothHolesDown(
  _ runs: [[HoleRun]], view: inout WarpedView, width: Int, isa: InstructionSet, threads: Int
) {
  let colors = smoothedColors(runs, view: view, width: width, isa: isa, threads: threads)
  updateRows(of: &view.pixels, width: width * 3, grain: WarpJob.grain, threads: threads) {
    rows, out in
    let chunk = rows.lowerBound / WarpJob.grain
    let colors = colors[chunk]
    var next = 0
    for run in runs[chunk] {
      let count = (run.end - run.start) * 3
      out.update(
        from: colors.span.extracting(next..<next + count),
        at: ((run.row - rows.lowerBound) * width + run.start) * 3)
      next += count
    }
  }
}

/// The colors of all gaps of each chunk, one after the other.
private func smoothedColors(
  _ runs: [[HoleRun]], view: WarpedView, width: Int, isa: InstructionSet, threads: Int
) -> [[UInt8]] {
  let kernels = ViewKernels(isa)
  return parallelMap(runs.count, threads: threads) { chunk in
    let runs = runs[chunk]
    return filledArray(count: runs.reduce(0) { $0 + ($1.end - $1.start) * 3 }) { colors in
      var next = 0
      for run in runs {
        let count = (run.end - run.start) * 3
        colors.withPart(next..<next + count) {
          kernels.smoothHole(
            run, width: width, pixels: view.pixels.span, holes: view.holes.span, into: &$0)
        }
        next += count
      }
    }
  }
}
