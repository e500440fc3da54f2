import DepthErrors
import DepthImages

/// How the values of a map become disparity: 1 / metres, or the numbers of a map without unit, the nearest
/// point largest.
struct Disparity: Sendable {
  /// Whether disparity is the reciprocal of a value.
  let isReciprocal: Bool
  /// Disparity = `sign · (value or reciprocal) + offset`; turns maps over whose nearest point is black.
  let sign, offset: Double
  /// Of the nearest and of the farthest point.
  let near, far: Double
  /// Whether disparity is in 1 / metres.
  let isMetric: Bool

  /// - Throws: `DepthError` with code `noDepth` for a map without any value.
  init(of depth: DepthMap, threads: Int) throws {
    isMetric = depth.unit.isMetric
    switch depth.unit {
    case .metres: (isReciprocal, sign, offset) = (true, 1, 0)
    case .disparity: (isReciprocal, sign, offset) = (false, 1, 0)
    case .normalized(.white): (isReciprocal, sign, offset) = (false, 1, 0)
    case .normalized(.black): (isReciprocal, sign, offset) = (false, -1, 1)
    }
    guard let range = depth.valueRange(threads: threads) else {
      throw DepthError(
        .noDepth, "the \(depth.width)×\(depth.height) depth map has no pixel with a value")
    }
    let turn = { [isReciprocal, sign, offset] (value: Float) in
      sign * (isReciprocal ? 1 / Double(value) : Double(value)) + offset
    }
    let (low, high) = (turn(range.low), turn(range.high))
    (near, far) = (max(low, high), min(low, high))
  }

  /// Disparity of a value that ``DepthMap/hasValue(_:)``.
  func linear(_ value: Float) -> Double {
    sign * (isReciprocal ? 1 / Double(value) : Double(value)) + offset
  }

  /// Whether all of the map is at one distance; then it counts as 0.5 of its range.
  var isConstant: Bool { !(near - far > 1e-6 * abs(near)) }

  /// Slope and intercept of what takes `value`, or its reciprocal, to `scale · disparity + shift`.
  func line(scale: Double, shift: Double) -> (slope: Float, intercept: Float) {
    (Float(scale * sign), Float(scale * offset + shift))
  }
}
