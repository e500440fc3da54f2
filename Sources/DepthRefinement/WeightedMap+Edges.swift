internal import Kernels

extension WeightedMap {
  /// The same weights with other values.
  func with(_ values: [Float]) -> WeightedMap {
    WeightedMap(height: height, width: width, values: values, weights: weights)
  }

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
  func steady(_ tolerance: Float, relative: Bool) -> WeightedMap {
    var steadiness = weights
    for y in 0..<height {
      for x in 0..<width where weights[y * width + x] > 0 {
        let value = values[y * width + x]
        let across = slope(y * width + x, step: 1, from: x, of: width)
        let down = slope(y * width + x, step: width, from: y, of: height)
        let limit = tolerance * (relative ? value : 1)
        let share = (across * across + down * down) / max(limit * limit, .leastNormalMagnitude)
        // Never quite 0, which would say that there is no value.
        steadiness[y * width + x] *= max(1 / (1 + share), 1e-6)
      }
    }
    return WeightedMap(height: height, width: width, values: values, weights: steadiness)
  }

  /// Half the difference of both neighbours on a line of `count` pixels, 0 unless the map climbs on
  /// both sides alike; missing neighbours count as level.
  private func slope(_ pixel: Int, step: Int, from index: Int, of count: Int) -> Float {
    guard index > 0, index < count - 1, weights[pixel - step] > 0, weights[pixel + step] > 0
    else { return 0 }
    let before = values[pixel] - values[pixel - step]
    let after = values[pixel + step] - values[pixel]
    return before * after > 0 ? (before + after) / 2 : 0
  }

  /// The map less what a small blur would add: `value + amount · (value − blurred)`, kept within the
  /// range of the map, so that thin objects regain some of the contrast that a network blurs away.
  ///
  /// - Parameter amount: 0 changes nothing.
  func sharpened(_ amount: Float, threads: Int) -> WeightedMap {
    guard amount > 0 else { return self }
    let present = zip(values, weights).filter { $1 > 0 }.map(\.0)
    guard let low = present.min(), let high = present.max() else { return self }
    let blurred = gaussianBlurred(
      self, height: height, width: width, radius: 4, sigma: 1, missing: 0, threads: threads)
    return with(
      zip(values, blurred).map { min(max($0 + amount * ($0 - $1), low), high) })
  }
}
