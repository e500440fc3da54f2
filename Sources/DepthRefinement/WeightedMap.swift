/// A map with a weight per pixel; weight 0 means no value.
package struct WeightedMap: Sendable, Equatable {
  package let height, width: Int
  /// `height·width` values. Values with weight 0 are never read.
  package let values: [Float]
  /// `height·width` weights, at least 0.
  package let weights: [Float]
  /// Whether any pixel has no value.
  let hasMissing: Bool

  /// - Precondition: Both sides are positive, and both arrays have `height·width` numbers.
  package init(height: Int, width: Int, values: [Float], weights: [Float]) {
    precondition(height > 0 && width > 0, "map is \(width)×\(height), expected at least 1×1")
    precondition(
      values.count == height * width && weights.count == height * width,
      "\(values.count) values and \(weights.count) weights, expected \(height * width)")
    (self.height, self.width, self.values, self.weights) = (height, width, values, weights)
    // Counted, because a loop without an early exit is vectorized.
    hasMissing =
      weights.reduce(into: Int32(0)) { count, weight in count &+= weight == 0 ? 1 : 0 } > 0
  }
}

/// Writes `missing` to those pixels of one fine row that are inside a coarse pixel without a value.
func maskMissing(
  _ row: inout MutableSpan<Float>, at y: Int, of size: (height: Int, width: Int),
  by map: WeightedMap, columns: [Int], missing: Float
) {
  let line = min(map.height - 1, (2 * y + 1) * map.height / (2 * size.height)) * map.width
  let weights = map.weights.span.extracting(line..<line + map.width)
  for x in 0..<size.width where weights[columns[x]] == 0 { row[x] = missing }
}
