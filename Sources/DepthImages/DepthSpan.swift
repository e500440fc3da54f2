import SystemEssentials

/// The numbers of a map that scale views and effects. In a film, the numbers are smoothed over frames to prevent pumping.
///
/// Views use numbers that are linear in parallax: disparity for maps in metres, otherwise the map's own numbers. Effects use
/// disparity: 1 / metres, or the numbers of a map without a unit. The nearest point has the largest number.
package struct DepthSpan: Sendable, Hashable, Codable {
  /// The numbers of the nearest and of the farthest point.
  package var near, far: Double
  /// Disparity of the plane in focus or at the screen; `nil` without such a plane.
  package var plane: Double?

  package init(near: Double, far: Double, plane: Double? = nil) {
    (self.near, self.far, self.plane) = (near, far, plane)
  }
}

/// Smooths the spans of a film, and restarts at cuts.
package struct SpanFollower: Sendable, Hashable, Codable {
  /// The new frame's share.
  private let rate: Double
  private var span: DepthSpan?

  /// - Parameter framesPerSecond: The frame rate. One second after a step, the smoothed value has covered nine tenths of the
  ///   step.
  package init(framesPerSecond: Double) {
    rate = 1 - pow(0.1, 1 / max(framesPerSecond, 1))
  }

  /// The smoothed span of the next frame.
  ///
  /// - Parameters:
  ///   - new: The frame's own span; `nil` for a frame without depth.
  ///   - isCut: Whether the frame is unrelated to earlier frames.
  /// - Returns: `nil` until the first frame with depth, also after a cut.
  package mutating func next(_ new: DepthSpan?, isCut: Bool) -> DepthSpan? {
    guard let new else {
      if isCut { span = nil }
      return span
    }
    guard !isCut, var held = span else {
      span = new
      return new
    }
    held.near += rate * (new.near - held.near)
    held.far += rate * (new.far - held.far)
    if let plane = new.plane {
      held.plane = held.plane.map { $0 + rate * (plane - $0) } ?? plane
    }
    span = held
    return held
  }
}
