import DepthBase

extension HoleRun {
  /// Fills the gap with the adjacent background pixel. Two background pixels are mixed by distance; if
  /// `stretched`, each fills half of the gap.
  func fill(_ pixels: inout MutableSpan<UInt8>, stretched: Bool) {
    let length = end - start
    for channel in 0..<3 {
      // A row without visible pixels is gray.
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

/// Smooths filled gaps down the columns, over invented pixels only. Binomial weights have radius 1 beside the
/// background; the radius grows by 1 per pixel of distance up to 7.
///
/// Rows are filled one by one, so differences between them become streaks. The best estimate in a gap is the mean
/// of the edge pixels over about its distance from the edge, not the single pixel in the same row.
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

/// The smoothed colors of all gaps, chunk by chunk.
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
