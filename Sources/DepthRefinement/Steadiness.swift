import ThreadTeams

extension WeightedMap {
  /// The same values, each weighted by how little the map climbs there: `1 / (1 + (slope / limit)²)`
  /// times the weight it had, with `limit = tolerance · value`.
  ///
  /// Pixels on the ramp between two depths belong to neither, and this takes their say away. A crest or
  /// a valley is no ramp: where the map climbs on one side only, or falls on both, the slope is 0, so
  /// that the middle of a thin object keeps its say. A surface that slants evenly loses weight evenly,
  /// which changes nothing in a mean.
  ///
  /// - Parameters:
  ///   - tolerance: Slope a pixel that halves the weight, as a share of the value.
  ///   - relative: Whether `tolerance` is a share of the value; otherwise it is a share of 0…1.
  package func steady(_ tolerance: Float, relative: Bool, threads: Int) -> WeightedMap {
    let (height, width, hasMissing) = (height, width, hasMissing)
    let steadiness = filledArray(count: height * width) { (out: UnsafeMutablePointer<Float>) in
      values.withUnsafeBufferPointer { levels in
        weights.withUnsafeBufferPointer { shares in
          // Each chunk writes the rows it was given and no others.
          nonisolated(unsafe) let (values, weights, out) = (levels, shares, out)
          parallelFor(height, grain: 32, threads: threads) { rows in
            for y in rows {
              for x in 0..<width {
                let pixel = y * width + x
                guard !hasMissing || weights[pixel] > 0 else {
                  out[pixel] = 0
                  continue
                }
                /// Half the difference of both neighbours, 0 unless the map climbs on both sides alike.
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
                // Never quite 0, which would say that there is no value.
                out[pixel] = weights[pixel] * max(1 / (1 + share), 1e-6)
              }
            }
          }
        }
      }
    }
    return WeightedMap(height: height, width: width, values: values, weights: steadiness)
  }
}
