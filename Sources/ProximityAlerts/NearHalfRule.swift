package import DepthImages

/// The alert of the article "Implement Depth Estimation on iOS Using a FCRN Model".
///
/// The map is stretched over its own range; what reaches 0.5 becomes 1, the rest 0; a mean above 0.35 is an
/// alert: more than 35 % of the picture lies in the nearer half of the range. Three things in the article's
/// listing are faults and are corrected here:
///
/// * **Polarity.** It takes larger values of the network for nearer ones. They are metres, so that its alert
///   comes when much is *far*. Here 1 is the nearest point.
/// * **Index.** It calls the 128 rows of the map its width and the 160 columns its height, and so turns the
///   picture over its diagonal. The mean does not show it, the drawn view does. Here rows are rows.
/// * **The divisor** is the number 20480, which is right for maps of 160 × 128 alone. Here it is the number
///   of pixels.
///
/// As in the article, pixels without a value count as 0, and a map of one value never alerts. The rule ignores
/// distances: half of the range may be ten metres away.
package struct NearHalfRule: Sendable {
  /// The share of the picture above which the alert comes.
  static let alertShare = 0.35
  private static let threshold: Float = 0.5

  /// The mean of the article's black-and-white map, 0…1.
  package static func share(of depth: DepthMap) -> Double {
    guard let (low, high) = depth.range(), high > low else { return 0 }
    let isMetres = depth.unit == .metres
    let ones = depth.values.count { value in
      guard depth.hasValue(value) else { return false }
      let share = (value - low) / (high - low)
      return (isMetres ? 1 - share : share) >= threshold
    }
    return Double(ones) / Double(depth.values.count)
  }
}
