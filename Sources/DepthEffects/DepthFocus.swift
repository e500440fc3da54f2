import DepthBase
import DepthErrors
public import DepthImages

/// The depth that an effect keeps or emphasizes.
///
/// ```swift
/// let near = try photo.spotlight(depth: depth, focus: .metres(1.8))
/// let tapped = try photo.spotlight(depth: depth, focus: .point(x: 320, y: 240))
/// ```
public enum DepthFocus: Sendable, Hashable, Codable {
  /// A normalized disparity, as in O. L. Brown's tutorial: 0 is the farthest point of the map, 1 the nearest.
  case normalized(Double)
  /// A distance along the optical axis in metres, for maps in metres or disparity only.
  case metres(Double)
  /// The depth at a pixel of the photo. Columns and rows count from 0.
  case point(x: Int, y: Int)
  /// The smallest distance in the map, the lower end of `DepthMap.range`. Unlike ``subject``, this focus can depend on a single
  /// wrong pixel.
  case nearest
  /// The depth of the nearest large object that stands upright or in front.
  ///
  /// An object is large if its parts fill 2 % of the photo within a factor of 1.3 in depth. The parts need not touch.
  /// Adjacent parts of almost the same depth belong to the object. A part stands in front if half of the photo at the
  /// part's height is at least 1.25 times as far away. Floors are excluded.
  ///
  /// The focus is the object's median depth, or a smaller depth if more than about 15 % of the photo is in front of the
  /// median. Without a large object, the focus is the depth of the nearest 2 % of the pixels. In a map without a unit,
  /// the farthest point counts as infinitely far away.
  case subject
  /// A range of depth for masks. The slope and width of the mask's shape have no effect.
  case range(MaskRange)
}

extension DepthFocus {
  /// The focus as disparity.
  ///
  ///   - depth: A map of the photo's size, before missing values are filled.
  ///   - disparity: The map's disparity.
  ///   - held: The film's smoothed span. If the span has a focus, this focus is the result.
  ///   - isLens: Whether a distance may be outside the map's range. A lens can be focused at such a distance, but a mask would
  ///     be empty.
  /// - Returns: A value of ``Disparity/linear(_:)``.
  /// - Throws: `DepthError` for a focus outside the map's range or the photo, a distance in a map without a unit, and a pixel
  ///   without a value.
  func disparity(
    in depth: DepthMap, _ disparity: Disparity, held: DepthSpan? = nil, isLens: Bool = false
  ) throws -> Double {
    if let focus = held?.plane { return focus }
    switch self {
    case .normalized(let share):
      try share.checked(in: 0...1, "the focus", "0 (farthest) to 1 (nearest)")
      return disparity.far + share * (disparity.near - disparity.far)
    case .metres(let distance):
      try disparity.unit.requireMetric(for: "a focus in metres")
      // The tolerance of 1 % accepts an end of the range that the user rounded to two digits.
      let range = 0.99 / disparity.near...1.01 / disparity.far
      if isLens {
        try distance.checked(in: Self.distances, "the focus", "a distance of 0.01 to 100000 m")
        return 1 / distance
      }
      guard distance > 0, range.contains(distance) else {
        let (near, far) = (1 / disparity.near, 1 / disparity.far)
        throw DepthError.invalidArgument(
          name: "the focus", found: "\(distance) m",
          expected: "\(near.rounded(toDigits: 2)) to \(far.rounded(toDigits: 2)) m, "
            + "the range of the depth map")
      }
      return 1 / distance
    case .point(let x, let y):
      try checkPoint(height: depth.height, width: depth.width)
      guard let value = depth[x: x, y: y] else {
        throw DepthError(
          .noDepth, "the depth map has no value at the point of focus \(x),\(y); choose another")
      }
      return disparity.linear(value)
    case .nearest: return disparity.near
    case .range:
      throw DepthError.invalidArgument(
        name: "the focus", found: "a range", expected: "a single depth, since ranges are for masks")
    case .subject:
      guard let pixel = SubjectGrid(of: depth, disparity).subject else { return disparity.near }
      return disparity.linear(depth.values[pixel.y * depth.width + pixel.x])
    }
  }

  /// - Throws: `DepthError` with code `invalidArgument` for a point outside a photo of this size.
  func checkPoint(height: Int, width: Int) throws {
    guard case .point(let x, let y) = self,
      !(0..<width).contains(x) || !(0..<height).contains(y)
    else { return }
    throw DepthError.invalidArgument(
      name: "the point of focus", found: "\(x),\(y)",
      expected: "a pixel of the \(width)×\(height) photo")
  }

  /// The distance that is in focus.
  ///
  /// - Parameters:
  ///   - depth: The photo's depth, of the photo's size.
  ///   - threads: Number of threads, 1…256; `nil` for one per processor. The number does not change the result.
  /// - Returns: Metres along the optical axis; `nil` for a map without a unit, for a point at infinity, and for a range.
  /// - Throws: `DepthError` for a focus that is not in the map.
  public func distance(in depth: DepthMap, threads: Int? = nil) throws -> Double? {
    if case .range = self { return nil }
    let disparity = try Disparity(of: depth, threads: ThreadCount.checked(threads))
    let distance = try 1 / self.disparity(in: depth, disparity, isLens: true)
    return depth.unit.isMetric && distance.isFinite ? distance : nil
  }

  /// Focus distances of a lens, metres.
  private static let distances = 0.01...100_000
}
