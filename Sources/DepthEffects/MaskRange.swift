import DepthErrors
import DepthImages

/// A range of depth in which a mask is 1. Outside the range, the mask falls to 0 over the width ``soft``, linearly in the
/// unit of the bounds.
///
/// ```swift
/// let table = MaskRange(from: 1.2, to: 2, soft: 0.1)  // metres
/// let mask = try photo.focusMask(depth: depth, focus: .range(table))
/// ```
public struct MaskRange: Sendable, Hashable, Codable {
  /// The lower and the upper bound; `nil` for an open end.
  public var from, to: Double?
  /// Width of each edge; 0 for hard edges.
  public var soft: Double
  /// Whether the numbers are shares of the disparity range, from 0 (farthest) to 1 (nearest), for maps without distances.
  /// Otherwise the numbers are metres.
  public var isShares: Bool

  /// Accepted bounds and widths of edges, in metres and in shares.
  package static let distances = 0.0...100_000
  package static let shares = 0.0...1.0

  /// Creates a range.
  ///
  /// Calls that use the mask check the range: `from` must be below `to`, and all numbers must be 0…100 000 metres or shares
  /// of 0…1.
  public init(from: Double? = nil, to: Double? = nil, soft: Double = 0, isShares: Bool = false) {
    (self.from, self.to, self.soft, self.isShares) = (from, to, soft, isShares)
  }

  /// The mask of a map at its own size.
  ///
  /// - Parameter mayBeEmpty: Whether the range may contain no pixel of the map.
  /// - Throws: `DepthError`.
  func mask(
    of depth: DepthMap, _ disparity: Disparity, mayBeEmpty: Bool, threads: Int
  ) throws -> DepthMask {
    let limits = isShares ? Self.shares : Self.distances
    for number in [from, to, soft].compactMap(\.self) {
      try number.checked(in: limits, "a bound of the range", "0 to \(limits.upperBound)")
    }
    let (low, high) = (from ?? 0, to ?? .infinity)
    guard low < high else {
      throw DepthError.invalidArgument(
        name: "the range", found: "\(low) to \(high)", expected: "its beginning below its end")
    }
    var (isReciprocal, line) = (depth.unit == .disparity, (slope: Float(1), intercept: Float(0)))
    if isShares {
      guard !depth.unit.isMetric else {
        throw DepthError.invalidArgument(
          name: "the range", found: "in shares of disparity",
          expected: "distances such as 2m, since the depth has metres")
      }
      let range = disparity.near - disparity.far
      isReciprocal = disparity.isReciprocal
      line =
        disparity.isConstant
        ? (0, 0.5) : disparity.line(scale: 1 / range, shift: -disparity.far / range)
    } else {
      try depth.unit.requireMetric(for: "a range in metres")
      let (near, far) = (1 / disparity.near, 1 / disparity.far)
      guard mayBeEmpty || low - soft <= far && high + soft >= near else {
        throw DepthError.invalidArgument(
          name: "the range", found: "from \(low) m" + (to.map { " to \($0) m" } ?? ""),
          expected: "a part of \(near.rounded(toDigits: 2)) to \(far.rounded(toDigits: 2)) m, "
            + "the range of the depth map")
      }
    }
    return RangeRamp(
      isReciprocal: isReciprocal, slope: line.slope, intercept: line.intercept,
      from: Float(from ?? -.infinity), to: Float(high),
      steepness: Float(min(1 / soft.magnitude, Double(Float.greatestFiniteMagnitude))),
      low: depth.unit.valuesWithDepth.lowerBound
    ).mask(of: depth, threads: threads)
  }
}

/// The smaller of `1 + (u − from) · steepness` and `1 + (to − u) · steepness`, clamped to 0…1, with `u` linear in a value or
/// its reciprocal.
private struct RangeRamp: DepthRamp {
  let isReciprocal: Bool
  let slope, intercept, from, to, steepness: Float
  let low: Float

  @inline(__always)
  func mask(_ v: Lanes) -> Lanes {
    let u = (isReciprocal ? 1 / v : v) * slope + intercept
    let (left, right) = (1 + (u - from) * steepness, 1 + (to - u) * steepness)
    let raised = left.replacing(with: right, where: right .< left)
      .clamped(lowerBound: Lanes(repeating: 0), upperBound: Lanes(repeating: 1))
    let counts = (v .>= low) .& (v .<= .greatestFiniteMagnitude) .& (u .< .infinity)
    return Lanes(repeating: 0).replacing(with: raised, where: counts)
  }
}
