package import DepthImages

/// The disparities shown as black and white in the pictures of a video.
///
/// With a separate range for each frame, the gray of a wall would change when another object approaches. The ends of the
/// range are exponentially filtered quantiles, which restart at a cut.
package struct PictureRange: Sendable, Codable {
  /// Share of the values beyond each end.
  private static let outside = 0.01
  private var ends = SteadyValues<Float>()

  package init() {}

  /// The range for the next frame.
  ///
  /// - Parameters:
  ///   - depth: Metres or relative disparity.
  ///   - isCut: Whether earlier frames belong to another shot.
  /// - Returns: A nonempty range of disparities, in 1 / metres or relative.
  package mutating func next(_ depth: DepthMap, isCut: Bool) -> ClosedRange<Float> {
    let isMetres = depth.unit == .metres
    let disparities = depth.values.filter(depth.hasValue).map { isMetres ? 1 / $0 : $0 }
    guard !disparities.isEmpty else {
      if isCut { ends.set(nil) }
      return ends.values.map { $0[0]...$0[1] } ?? 0...1
    }
    let rank = Int(Double(disparities.count) * Self.outside)
    let moved = ends.next(
      [rank, disparities.count - 1 - rank].map { sortedElement(of: disparities, at: $0) },
      isCut: isCut)
    let (low, high) = (moved[0], moved[1])
    // A flat map becomes uniform gray instead of amplified noise.
    let least = isMetres ? low * 1.01 : low + 0.01 * abs(low)
    let result = low...max(high, least, low.nextUp)
    ends.set([result.lowerBound, result.upperBound])
    return result
  }
}
