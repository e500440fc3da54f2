extension WeightedMap {
  /// The weight of a filled pixel, which is sufficient by itself, but negligible beside a measured
  /// value.
  static let filledWeight: Float = 1e-3

  /// The map with all gaps filled (pull–push). The map is halved until each pixel has a value; then
  /// gaps are filled from the next coarser scale.
  ///
  /// > Source: S. J. Gortler et al. “The Lumigraph.” SIGGRAPH 1996, section 3.4.
  func filled() -> WeightedMap {
    guard hasMissing, weights.contains(where: { $0 > 0 }) else { return self }
    let coarse = halved().filled()
    var (values, weights) = (values, weights)
    for y in 0..<height {
      for x in 0..<width where weights[y * width + x] == 0 {
        values[y * width + x] = coarse.interpolated(y: y, x: x)
        weights[y * width + x] = Self.filledWeight
      }
    }
    return WeightedMap(height: height, width: width, values: values, weights: weights)
  }

  /// The map at half the size, rounded up. Each pixel is the mean of the values in 2 × 2 pixels.
  private func halved() -> WeightedMap {
    let (rows, columns) = ((height + 1) / 2, (width + 1) / 2)
    var means = [Float](repeating: 0, count: rows * columns)
    var present = means
    for y in 0..<rows {
      for x in 0..<columns {
        var (sum, norm) = (Float(0), Float(0))
        for j in 2 * y..<min(2 * y + 2, height) {
          for i in 2 * x..<min(2 * x + 2, width) where weights[j * width + i] > 0 {
            sum += weights[j * width + i] * values[j * width + i]
            norm += weights[j * width + i]
          }
        }
        if norm > 0 { (means[y * columns + x], present[y * columns + x]) = (sum / norm, 1) }
      }
    }
    return WeightedMap(height: rows, width: columns, values: means, weights: present)
  }

  /// The value at pixel `(y, x)` of the doubled map, interpolated between four pixels.
  private func interpolated(y: Int, x: Int) -> Float {
    let (j, i) = (y / 2, x / 2)
    // The center of a fine pixel is a quarter pixel from the center of its coarse pixel.
    let near = j * width + i
    let nextRow = min(max(y % 2 == 0 ? j - 1 : j + 1, 0), height - 1) * width
    let nextColumn = min(max(x % 2 == 0 ? i - 1 : i + 1, 0), width - 1)
    return 0.75 * (0.75 * values[near] + 0.25 * values[j * width + nextColumn])
      + 0.25 * (0.75 * values[nextRow + i] + 0.25 * values[nextRow + nextColumn])
  }
}
