import DepthErrors
import DepthImages

/// The conversion of map values to disparity: 1 / metres, or the numbers of a map without a unit. The nearest
/// point has the largest disparity.
struct Disparity: Sendable {
  private let normalized: NormalizedDisparity
  /// Disparity = `sign · (value or reciprocal) + offset`, which reverses maps with a black nearest point.
  private let sign, offset: Double
  /// Disparity of the nearest and of the farthest point.
  let near, far: Double
  /// The unit of the map's values.
  let unit: DepthMap.Unit

  /// - Parameter held: The film's smoothed range; by default the map's own range.
  /// - Throws: `DepthError` with code `noDepth` for a map without values.
  init(of depth: DepthMap, held: DepthSpan? = nil, threads: Int) throws {
    unit = depth.unit
    (sign, offset) = unit == .normalized(near: .black) ? (-1, 1) : (1, 0)
    guard let range = depth.valueRange(threads: threads) else {
      throw DepthError(
        .noDepth, "the \(depth.width)×\(depth.height) depth map has no pixel with a value")
    }
    normalized = NormalizedDisparity(unit: unit, range: range)
    near = held?.near ?? (sign * normalized.near + offset)
    far = held?.far ?? (sign * normalized.far + offset)
  }

  /// Whether disparity is the reciprocal of a value.
  var isReciprocal: Bool { normalized.isReciprocal }

  /// Disparity of a valid value; see ``DepthMap/hasValue(_:)``.
  func linear(_ value: Float) -> Double { sign * normalized.linear(value) + offset }

  /// Whether the whole map is at one distance, which then counts as 0.5 of the range.
  var isConstant: Bool { DepthMap.isConstant(low: far, high: near) }

  /// Slope and intercept of the function from `value`, or its reciprocal, to `scale · disparity + shift`.
  func line(scale: Double, shift: Double) -> (slope: Float, intercept: Float) {
    (Float(scale * sign), Float(scale * offset + shift))
  }
}
