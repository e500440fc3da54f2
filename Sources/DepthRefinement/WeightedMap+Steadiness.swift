internal import Kernels

extension WeightedMap {
  /// The same weights with other values.
  func with(_ values: [Float]) -> WeightedMap {
    WeightedMap(height: height, width: width, values: values, weights: weights)
  }

  /// The same values, each weighted by how little its 3 × 3 neighbourhood varies:
  /// `1 / (1 + variance / (tolerance · mean)²)`, times the weight it had.
  ///
  /// Pixels on the ramp between two depths belong to neither; this takes their say away. A surface that
  /// slants evenly loses weight evenly, which changes nothing in a mean.
  ///
  /// - Parameters:
  ///   - tolerance: Deviation that halves the weight, as a share of the mean of the neighbourhood.
  ///   - relative: Whether `tolerance` is a share of the mean; otherwise it is a share of 0…1.
  func steady(_ tolerance: Float, relative: Bool) -> WeightedMap {
    var steadiness = weights
    for y in 0..<height {
      for x in 0..<width where weights[y * width + x] > 0 {
        let centre = values[y * width + x]
        // Sums of differences from the centre keep the digits that sums of squares would lose.
        var (count, sum, squares) = (Float(0), Float(0), Float(0))
        for j in max(0, y - 1)...min(height - 1, y + 1) {
          for i in max(0, x - 1)...min(width - 1, x + 1) where weights[j * width + i] > 0 {
            let difference = values[j * width + i] - centre
            count += 1
            sum += difference
            squares += difference * difference
          }
        }
        let mean = sum / count
        let variance = max(0, squares / count - mean * mean)
        let scale = tolerance * (relative ? abs(centre + mean) : 1)
        // A mean of 0 leaves nothing to compare with: any variation at all is an edge.
        let share = variance > 0 ? variance / max(scale * scale, .leastNormalMagnitude) : 0
        steadiness[y * width + x] = weights[y * width + x] * max(1 / (1 + share), 1e-6)
      }
    }
    return WeightedMap(height: height, width: width, values: values, weights: steadiness)
  }
}
