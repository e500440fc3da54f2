extension WeightedMap {
  /// The map, reduced to at most `height × width`. On axes on which the map is larger, each pixel becomes the weighted
  /// mean of the pixels that it covers.
  ///
  /// A pixel has no value if its center is in a pixel without a value.
  func reduced(height newHeight: Int, width newWidth: Int) -> WeightedMap {
    let rows = min(height, newHeight)
    let columns = min(width, newWidth)
    guard (rows, columns) != (height, width) else { return self }
    var result: [Float] = []
    var kept: [Float] = []
    result.reserveCapacity(rows * columns)
    kept.reserveCapacity(rows * columns)
    for y in 0..<rows {
      let covered = y * height / rows..<max(y * height / rows + 1, (y + 1) * height / rows)
      let middleRow = (2 * y + 1) * height / (2 * rows) * width
      for x in 0..<columns {
        let span = x * width / columns..<max(x * width / columns + 1, (x + 1) * width / columns)
        // A pixel may cover millions of others: in single precision, their sum would lose the smaller digits.
        var (sum, norm) = (0.0, 0.0)
        for j in covered {
          for i in span where weights[j * width + i] > 0 {
            sum += Double(weights[j * width + i]) * Double(values[j * width + i])
            norm += Double(weights[j * width + i])
          }
        }
        let middle = middleRow + (2 * x + 1) * width / (2 * columns)
        let hasValue = weights[middle] > 0
        // In a map that is reduced by less than half, the middle pixel may be outside the covered area. This area may
        // then have no value.
        result.append(hasValue ? norm > 0 ? Float(sum / norm) : values[middle] : 0)
        kept.append(hasValue ? 1 : 0)
      }
    }
    return WeightedMap(height: rows, width: columns, values: result, weights: kept)
  }
}
