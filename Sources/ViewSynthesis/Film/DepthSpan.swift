package import DepthImages
import SystemEssentials

/// What of a map sets the parallax of its views: a film holds it from frame to frame.
///
/// The numbers are linear in parallax: disparity of maps in metres, a map's own numbers otherwise.
package struct DepthSpan: Sendable, Hashable, Codable {
  /// Of the nearest and of the farthest point.
  package var near, far: Double
  /// Of what the photo is about; `nil` where it does not count.
  package var subject: Double?

  package init(near: Double, far: Double, subject: Double? = nil) {
    (self.near, self.far, self.subject) = (near, far, subject)
  }
}

extension DepthMap {
  /// The map's own span.
  ///
  /// - Returns: `nil` for a map without a value.
  package func span(for options: StereoOptions, threads: Int) -> DepthSpan? {
    guard let range = valueRange(threads: threads) else { return nil }
    let normalization: NormalizedDisparity
    switch options.amount {
    case .shift:
      normalization = NormalizedDisparity(unit: unit, range: range, linearIn: options.linearIn)
    case .metric: normalization = NormalizedDisparity(unit: unit, range: range)
    }
    var span = DepthSpan(near: normalization.near, far: normalization.far)
    if options.convergence == nil {
      let filled =
        range.missing == 0
        ? values
        : fillingMissingDepth(values, height: height, width: width, unit: unit, threads: threads)
      span.subject = normalization.subjectDepth(filled, height: height, width: width)
    }
    return span
  }
}

/// Follows the spans of a film slowly, and jumps at cuts: parallax does not pump when something comes near.
package struct SpanFollower: Sendable, Hashable, Codable {
  /// The new frame's share.
  private let rate: Double
  private var span: DepthSpan?

  /// - Parameter framesPerSecond: After a second nine tenths of a change are there.
  package init(framesPerSecond: Double) {
    rate = 1 - pow(0.1, 1 / max(framesPerSecond, 1))
  }

  /// The span of the next frame.
  ///
  /// - Parameter new: The frame's own; `nil` for one without depth.
  /// - Returns: `nil` before the first frame with depth.
  package mutating func next(_ new: DepthSpan?, isCut: Bool) -> DepthSpan? {
    guard let new else { return span }
    guard !isCut, var held = span else {
      span = new
      return new
    }
    held.near += rate * (new.near - held.near)
    held.far += rate * (new.far - held.far)
    if let subject = new.subject {
      held.subject = held.subject.map { $0 + rate * (subject - $0) } ?? subject
    }
    span = held
    return held
  }
}
