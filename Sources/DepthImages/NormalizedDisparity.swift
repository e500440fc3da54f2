/// A linear function of a map's values or of their reciprocals: 0 for the farthest point and 1 for the
/// nearest.
package struct NormalizedDisparity: Sendable {
  /// Whether the linear quantity is the reciprocal of a value.
  package let isReciprocal: Bool
  /// The linear quantity at the nearest and the farthest point.
  package let near, far: Double
  /// Whether the whole map is at one distance. The function is then 0.5 everywhere.
  package let isConstant: Bool
  /// The normalized value is `linear · scale + offset`.
  package let scale, offset: Double

  /// Creates the function for the `range` of the map's values. The function is linear in disparity or metres
  /// as specified by `wanted`, or in the numbers of a map without a unit.
  package init(unit: DepthMap.Unit, range: ValueRange, linearIn wanted: DepthMap.Unit = .disparity)
  {
    isReciprocal =
      switch unit {
      case .metres: wanted == .disparity
      case .disparity: wanted == .metres
      case .relativeDisparity, .normalized: false
      }
    let (low, high) = (Double(range.low), Double(range.high))
    let (nearest, farthest) = unit.isLargerNearer ? (high, low) : (low, high)
    (near, far) = isReciprocal ? (1 / nearest, 1 / farthest) : (nearest, farthest)
    isConstant = DepthMap.isConstant(low: low, high: high)
    scale = isConstant ? 0 : 1 / (near - far)
    offset = isConstant ? 0.5 : -far / (near - far)
  }

  /// Creates the function for a range shared by several frames of a film.
  package init(isReciprocal: Bool, near: Double, far: Double) {
    self.isReciprocal = isReciprocal
    (self.near, self.far) = (near, far)
    isConstant = DepthMap.isConstant(low: far, high: near)
    scale = isConstant ? 0 : 1 / (near - far)
    offset = isConstant ? 0.5 : -far / (near - far)
  }

  /// The linear quantity of a valid value; see ``DepthMap/hasValue(_:)``.
  package func linear(_ value: Float) -> Double { isReciprocal ? 1 / Double(value) : Double(value) }

  /// The normalized value 0…1 of a linear quantity.
  package func normalized(_ linear: Double) -> Double { linear * scale + offset }
}

extension DepthMap {
  /// Returns whether the values' difference is negligible relative to the largest value.
  package static func isConstant<Value: BinaryFloatingPoint>(low: Value, high: Value) -> Bool {
    !(high - low > 1e-6 * Swift.abs(high))
  }
}
