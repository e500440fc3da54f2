extension WeightedMap {
  /// The map with other values and the same weights.
  func with(_ values: [Float]) -> WeightedMap {
    WeightedMap(height: height, width: width, values: values, weights: weights)
  }

  /// The map with the same values and other weights.
  func with(weights: [Float]) -> WeightedMap {
    WeightedMap(height: height, width: width, values: values, weights: weights)
  }

  /// Unsharp masking: `value + amount · (value − blurred)`, clamped to the range of the map. Thin objects
  /// regain some of the contrast that a network blurs away.
  ///
  /// - Parameter amount: The factor; 0 changes nothing.
  func sharpened(_ amount: Float, threads: Int) -> WeightedMap {
    guard amount > 0, let (low, high) = range else { return self }
    let blurred = gaussianBlurred(
      self, height: height, width: width, radius: 4, sigma: 1, missing: 0, threads: threads)
    return with(
      zip(values, blurred).map { min(max($0 + amount * ($0 - $1), low), high) })
  }
}
