import DepthErrors
import DepthImages

/// The depth that an effect keeps or emphasizes.
///
/// ```swift
/// let near = try photo.spotlight(depth: depth, focus: .metres(1.8))
/// let tapped = try photo.spotlight(depth: depth, focus: .point(x: 320, y: 240))
/// ```
public enum DepthFocus: Sendable, Hashable {
  /// A normalized disparity: 0 is the farthest point of the map, 1 the nearest, as in O. L. Brown's tutorial.
  case normalized(Double)
  /// A distance along the optical axis in metres; only for maps in metres or disparity.
  case metres(Double)
  /// The depth at a pixel of the photo, given by column and row from 0.
  case point(x: Int, y: Int)
  /// The depth of the nearest thing. 2 % of the pixels may be nearer than this depth, so that a few wrong pixels do not
  /// change it.
  case nearest
}

extension DepthFocus {
  /// The focus as disparity.
  ///
  /// - Parameters:
  ///   - depth: A map of the photo's size, before missing values are filled in.
  ///   - disparity: Its disparity.
  ///   - held: What a film holds; its focus, where it has one, is the focus.
  ///   - isLens: Whether a distance may be outside the map's range: a lens can be focused there, while a mask of it
  ///     would be empty.
  /// - Returns: A value of ``Disparity/linear(_:)``.
  /// - Throws: `DepthError` for a focus outside the map's range or the photo, a distance where the map has
  ///   no unit, and a pixel without a value.
  func disparity(
    in depth: DepthMap, _ disparity: Disparity, held: DepthSpan? = nil, isLens: Bool = false
  ) throws -> Double {
    if let focus = held?.subject { return focus }
    switch self {
    case .normalized(let share):
      try share.checked(in: 0...1, "the focus", "0 (farthest) to 1 (nearest)")
      return disparity.far + share * (disparity.near - disparity.far)
    case .metres(let distance):
      try disparity.unit.requireMetric(for: "a focus in metres")
      // A distance typed with two digits must meet a map whose range has more.
      let range = 0.99 / disparity.near...1.01 / disparity.far
      if isLens {
        try distance.checked(in: Self.distances, "the focus", "a distance of 0.01 to 100000 m")
        return 1 / distance
      }
      guard distance > 0, range.contains(distance) else {
        throw DepthError.invalidArgument(
          name: "the focus", found: "\(distance) m",
          expected: "\(Self.rounded(1 / disparity.near)) to \(Self.rounded(1 / disparity.far)) m, "
            + "the range of the depth map")
      }
      return 1 / distance
    case .point(let x, let y):
      guard (0..<depth.width).contains(x), (0..<depth.height).contains(y) else {
        throw DepthError.invalidArgument(
          name: "the point of focus", found: "\(x),\(y)",
          expected: "a pixel of the \(depth.width)×\(depth.height) photo")
      }
      let value = depth.values[y * depth.width + x]
      guard depth.hasValue(value) else {
        throw DepthError(
          .noDepth, "the depth map has no value at the point of focus \(x),\(y); choose another")
      }
      return disparity.linear(value)
    case .nearest: return Self.nearest(in: depth, disparity)
    }
  }

  /// Share of the pixels that may be nearer than the nearest thing: specks and the ends of the map's noise.
  private static let nearestShare = 0.02
  /// Pixels that are looked at, about.
  private static let samples = 1 << 16

  private static func nearest(in depth: DepthMap, _ disparity: Disparity) -> Double {
    let stride = max(depth.values.count / samples, 1)
    let values = Swift.stride(from: 0, to: depth.values.count, by: stride)
      .map { depth.values[$0] }.filter(depth.hasValue).map(disparity.linear)
    guard !values.isEmpty else { return disparity.near }
    let rank = Int(Double(values.count) * (1 - nearestShare))
    return sortedElement(of: values, at: min(rank, values.count - 1))
  }

  /// Distances that a lens can be focused at, metres.
  private static let distances = 0.01...100_000

  private static func rounded(_ metres: Double) -> Double { (metres * 100).rounded() / 100 }
}
