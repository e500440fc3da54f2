import DepthImages

extension WeightedMap {
  /// Standard deviation of a network's assumed blur of depth, pixels of the map.
  static let networkBlur: Float = 0.8
  /// Sigma of the Gaussian blur for comparing a pixel, pixels of the map.
  static let surroundings: Float = 2

  /// A filtered map that regains the depth that filtering removed from this map.
  ///
  /// A joint filter flattens objects that are thinner than its window. The filtered map is reduced to this
  /// map's size by means and a blur, as by a network, and the difference from this map is added to the filtered
  /// map. Thin objects regain their depth, while the photo still places the edge. Differences are in metres,
  /// because a network's value on an edge is a mean of metres, not of disparities.
  ///
  /// Differences that increase contrast are restored everywhere, and other differences only on level ground. If
  /// the filter moved a ramp pixel to one side of the edge, no depth was lost, and restoring would move the
  /// edge back.
  ///
  /// Differences no larger than noise are suppressed. With `s` three times the noise's standard deviation,
  /// estimated by the median, each difference `r` is multiplied by `r² / (r² + s²)`.
  ///
  /// - Parameters:
  ///   - filtered: A map whose size is an integer multiple of this map's.
  ///   - share: The share that is restored; 0 returns `filtered`.
  ///   - trust: For every pixel of this map, 1 on level ground and almost 0 on a ramp.
  ///   - reciprocal: Whether values are disparities.
  /// - Returns: A map of the size of `filtered`, within the range of this map.
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
        // This is 1 / (1/v + r) without intermediate infinities. A depth below 0 becomes the nearest depth of
        // the map.
        let growth = 1 + value * share * given[i]
        return growth > 0 ? min(max(value / growth, low), high) : high
      })
  }

  /// The smallest and largest value; `nil` if there are no values.
  var range: (low: Float, high: Float)? {
    var found: (low: Float, high: Float)?
    for (value, weight) in zip(values, weights) where weight > 0 {
      found = found.map { (min($0.low, value), max($0.high, value)) } ?? (value, value)
    }
    return found
  }

  /// This map minus the reduced and blurred `filtered`, without noise; in metres if `reciprocal` is true.
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
    // A third of the pixels suffices for a median. The factor 1.4826 converts the median to the standard
    // deviation of a Gaussian. Pixels without a value have no meaningful difference.
    let sizes = stride(from: 0, to: differences.count, by: 3).compactMap {
      weights[$0] > 0 && !shown[$0].isNaN ? abs(differences[$0]) : nil
    }
    guard !sizes.isEmpty else { return differences }
    let limit = 3 * 1.4826 * sortedElement(of: sizes, at: sizes.count / 2)
    guard limit > 0 else { return differences }
    return differences.map { $0 * ($0 * $0 / ($0 * $0 + limit * limit)) }
  }
}
