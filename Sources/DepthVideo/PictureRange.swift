package import DepthImages

/// The disparities that become black and white in the pictures of a video.
///
/// Stretching every frame over its own range makes the gray of a still wall jump when something else comes
/// near. The ends are quantiles, filtered exponentially, and restart at a cut.
package struct PictureRange: Sendable, Codable {
  /// The new frame's share.
  private static let rate: Float = 0.1
  /// Share of the values that may lie beyond each end.
  private static let outside = 0.01
  private var range: ClosedRange<Float>?

  package init() {}

  /// The range for the next frame.
  ///
  /// - Parameters:
  ///   - depth: Metres or relative disparity.
  ///   - isCut: Whether frames before say nothing about this one.
  /// - Returns: Disparities, 1 / metres or relative, of positive length.
  package mutating func next(_ depth: DepthMap, isCut: Bool) -> ClosedRange<Float> {
    let isMetres = depth.unit == .metres
    let disparities = depth.values.filter(depth.hasValue).map { isMetres ? 1 / $0 : $0 }
    guard !disparities.isEmpty else {
      if isCut { range = nil }
      return range ?? 0...1
    }
    let rank = Int(Double(disparities.count) * Self.outside)
    var low = sortedElement(of: disparities, at: rank)
    var high = sortedElement(of: disparities, at: disparities.count - 1 - rank)
    if let range, !isCut {
      low = range.lowerBound + Self.rate * (low - range.lowerBound)
      high = range.upperBound + Self.rate * (high - range.upperBound)
    }
    // A flat map is one gray, not noise stretched over all of them.
    let least = isMetres ? low * 1.01 : low + 0.01 * abs(low)
    let result = low...max(high, least, low.nextUp)
    range = result
    return result
  }
}
