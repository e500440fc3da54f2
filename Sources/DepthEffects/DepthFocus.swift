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
  /// A normalized disparity: 0 is the farthest point of the map, 1 the nearest, as in O. L. Brown's tutorial.
  case normalized(Double)
  /// A distance along the optical axis in metres; only for maps in metres or disparity.
  case metres(Double)
  /// The depth at a pixel of the photo, given by column and row from 0.
  case point(x: Int, y: Int)
  /// The smallest distance in the map: the lower end of `DepthMap.range`. A single wrong pixel decides; ``subject`` ignores it.
  case nearest
  /// The depth of the nearest large thing that stands upright or in front.
  ///
  /// A thing is large if its parts, touching or not, fill 2 % of the photo and the farthest is at most 1.3 times as far away as the
  /// nearest. It goes on with parts beside these of almost the same depth. A part stands in front if half of the photo at its height is at
  /// least 1.25 times as far away. Floors are left out. The focus is the thing's median depth, or nearer, so that some 15 % of the photo at
  /// most is in front of it. In a map without such a thing it is the depth below which 2 % of the pixels lie. In a map without a unit, the farthest point counts as infinitely far away.
  case subject
  /// A range of depth instead of one, for masks; their shape then has no slope and no width.
  case range(MaskRange)
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
    if let focus = held?.plane { return focus }
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
        name: "the focus", found: "a range", expected: "one depth: ranges are for masks")
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
  ///   - threads: Threads to use, 1…256; `nil` for one per processor. The result does not depend on it.
  /// - Returns: Metres along the optical axis; `nil` for a map without a unit, for a point at infinity and for a range.
  /// - Throws: `DepthError` for a focus that the map does not have.
  public func distance(in depth: DepthMap, threads: Int? = nil) throws -> Double? {
    if case .range = self { return nil }
    let disparity = try Disparity(of: depth, threads: ThreadCount.checked(threads))
    let distance = try 1 / self.disparity(in: depth, disparity, isLens: true)
    return depth.unit.isMetric && distance.isFinite ? distance : nil
  }

  /// Distances that a lens can be focused at, metres.
  private static let distances = 0.01...100_000
}
