import DepthImages

extension WeightedMap {
  /// Standard deviation of the Gaussian, pixels of the map, by which a network is taken to blur depth.
  static let networkBlur: Float = 0.8
  /// Sigma of the Gaussian blur that a pixel is compared with, pixels of the map.
  static let surroundings: Float = 2

  /// A filtered map given back what the filter took away from this one.
  ///
  /// A joint filter flattens what is thinner than its window. So the filtered map is brought down to
  /// this map's size as a network would, by means and a blur, and what is then missing is added to it:
  /// thin objects regain their depth, and where the edge lies stays the photo's decision. This happens
  /// in metres, because what a network gives on an edge is a mean of metres, not of disparities.
  ///
  /// Contrast is given back everywhere, its opposite only on level ground. A pixel on a ramp that the filter
  /// has put on one side of the edge has lost nothing: to give it back would move the edge to where
  /// the map has it.
  ///
  /// Differences no larger than noise are let go: with `s` three times the standard deviation of the
  /// noise, measured by the median, each difference `r` is taken times `r² / (r² + s²)`.
  ///
  /// - Parameters:
  ///   - filtered: A whole number of times this map's size.
  ///   - share: How much is given back; 0 returns `filtered`.
  ///   - trust: For every pixel of this map, 1 on level ground and next to 0 on a ramp.
  ///   - reciprocal: Whether values are disparities.
  /// - Returns: The size of `filtered`, within the range of this map.
  ///
  /// > Source: M. Irani, S. Peleg. “Improving Resolution by Image Registration.” CVGIP 1991, section 4,
  /// > with the joint filter as the back-projection kernel.
  func backProjected(
    onto filtered: WeightedMap, share: Float, trust: [Float], reciprocal: Bool, threads: Int
  ) -> WeightedMap {
    let step = filtered.height / height
    guard share > 0, (filtered.height, filtered.width) == (height * step, width * step),
      let (low, high) = range
    else { return filtered }
    let lost = difference(
      from: filtered, trust: trust, reciprocal: reciprocal, threads: threads)
    let given = gaussianBlurred(
      with(lost), height: filtered.height, width: filtered.width, radius: 0, sigma: 1, missing: 0,
      threads: threads)
    return filtered.with(
      filtered.values.indices.map { i in
        let value = filtered.values[i]
        guard reciprocal else { return min(max(value + share * given[i], low), high) }
        // 1 / (1/v + r) without infinities on the way; a depth below 0 is as near as the map goes.
        let growth = 1 + value * share * given[i]
        return growth > 0 ? min(max(value / growth, low), high) : high
      })
  }

  /// The smallest and the largest value, `nil` without any.
  var range: (low: Float, high: Float)? {
    var found: (low: Float, high: Float)?
    for (value, weight) in zip(values, weights) where weight > 0 {
      found = found.map { (min($0.low, value), max($0.high, value)) } ?? (value, value)
    }
    return found
  }

  /// This map less `filtered` as a network would show it, in metres if `reciprocal`, without noise.
  private func difference(
    from filtered: WeightedMap, trust: [Float], reciprocal: Bool, threads: Int
  ) -> [Float] {
    func level(_ value: Float) -> Float { reciprocal ? 1 / value : value }
    let fine = WeightedMap(
      height: filtered.height, width: filtered.width, values: filtered.values.map(level),
      weights: filtered.weights.map { $0 > 0 ? 1 : 0 })
    let reduced = fine.reduced(height: height, width: width)
    let shown = reduced.blurred(sigma: Self.networkBlur, missing: .nan, threads: threads)
    let surroundings = reduced.blurred(sigma: Self.surroundings, missing: .nan, threads: threads)
    let differences = values.indices.map { i -> Float in
      guard weights[i] > 0, !shown[i].isNaN else { return 0 }
      let difference = level(values[i]) - shown[i]
      let isContrast = difference * (shown[i] - surroundings[i]) > 0
      return isContrast ? difference : difference * trust[i]
    }
    // Every third is enough for a median; 1.4826 makes it the standard deviation of a Gaussian.
    // Where there is no value there is no difference that says anything.
    let sizes = stride(from: 0, to: differences.count, by: 3).compactMap {
      weights[$0] > 0 && !shown[$0].isNaN ? abs(differences[$0]) : nil
    }
    guard !sizes.isEmpty else { return differences }
    let limit = 3 * 1.4826 * sortedElement(of: sizes, at: sizes.count / 2)
    guard limit > 0 else { return differences }
    return differences.map { $0 * ($0 * $0 / ($0 * $0 + limit * limit)) }
  }
}
