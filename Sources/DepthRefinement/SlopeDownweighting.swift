import DepthBase

extension WeightedMap {
  /// The same values, each weighted down by the slope of the map there: `weight / (1 + (slope / limit)²)`
  /// with `limit = tolerance · value`.
  ///
  /// Pixels on the ramp between two depths belong to neither surface, so they lose weight. Local maxima and
  /// minima keep theirs: where the map does not rise or fall on both sides alike the slope counts as 0, so
  /// that the middle of a thin object keeps its weight. An evenly slanted surface loses weight evenly, which
  /// changes nothing in a weighted mean.
  ///
  /// - Parameters:
  ///   - tolerance: Slope per pixel that halves the weight.
  ///   - relative: Whether `tolerance` is a share of the value; otherwise it is a share of 0…1.
  func downweightingSlopes(
    _ tolerance: Float, relative: Bool, threads: Int
  ) -> WeightedMap {
    let (height, width, hasMissing) = (height, width, hasMissing)
    let lowered: [Float] = filledRows(height: height, width: width, grain: 32, threads: threads) {
      rows, out in
      let (values, weights) = (values.span, weights.span)
      out.forEachRow(rows, width: width) { y, out in
        for x in 0..<width {
          let pixel = y * width + x
          guard !hasMissing || weights[pixel] > 0 else {
            out[x] = 0
            continue
          }
          /// Half the difference of both neighbors; 0 unless the map rises or falls on both sides.
          func slope(_ step: Int, _ index: Int, _ count: Int) -> Float {
            guard index > 0, index < count - 1,
              !hasMissing || (weights[pixel - step] > 0 && weights[pixel + step] > 0)
            else { return 0 }
            let before = values[pixel] - values[pixel - step]
            let after = values[pixel + step] - values[pixel]
            return before * after > 0 ? (before + after) / 2 : 0
          }
          let (across, down) = (slope(1, x, width), slope(width, y, height))
          let limit = tolerance * (relative ? values[pixel] : 1)
          let share =
            (across * across + down * down) / max(limit * limit, .leastNormalMagnitude)
          // Never quite 0, which would mean that the pixel has no value.
          out[x] = weights[pixel] * max(1 / (1 + share), 1e-6)
        }
      }
    }
    return with(weights: lowered)
  }
}
