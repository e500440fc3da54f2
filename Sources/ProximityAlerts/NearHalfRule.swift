package import DepthImages

/// The alert of the article "Implement Depth Estimation on iOS Using a FCRN Model".
///
/// The map is stretched over its own range and thresholded at 0.5. A mean above 0.35 is an alert: more than 35 % of the
/// picture is in the nearer half of the range. Three errors of the article's listing are corrected:
///
/// * **Polarity.** The article treats larger values as nearer. The values are metres, so the article's alert means that
/// much of the picture is *far*. In this rule, 1 is the nearest point.
/// * **Index.** The article exchanges the map's 128 rows and 160 columns, which transposes the drawn view but does not
/// change the mean.
/// * **Divisor.** The article divides by 20480, which is correct only for maps of 160 × 128. In this rule, the divisor is
/// the number of pixels.
///
/// As in the article, pixels without a value count as 0, and a constant map never alerts. The rule ignores distances:
/// even the nearer half of the range may be ten metres away.
package struct NearHalfRule: Sendable {
  /// The share of the picture above which the rule alerts.
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
