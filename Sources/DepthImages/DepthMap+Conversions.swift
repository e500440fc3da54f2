import DepthErrors

/// Explicit conversions of unit. A pixel without a value remains without a value: 0 in metres and disparity, NaN in normalized
/// maps.
extension DepthMap {
  /// The map in metres.
  ///
  /// - Throws: `DepthError` with code `unknownUnit` for a normalized map, which has lost its scale, and for relative disparity,
  ///   which never had a scale.
  public func inMetres() throws -> DepthMap { try withUnit().reciprocal(as: .metres) }

  /// The map as disparity, 1 / metres.
  ///
  /// - Throws: `DepthError` with code `unknownUnit` for a normalized map, which has lost its scale, and for relative disparity,
  ///   which never had a scale.
  public func inDisparity() throws -> DepthMap { try withUnit().reciprocal(as: .disparity) }

  private func withUnit() throws -> DepthMap {
    try unit.requireMetric(for: "the conversion")
    return self
  }

  /// The map in metres or disparity. Other units keep their numbers.
  private func reciprocal(as wanted: Unit) -> DepthMap {
    guard unit.isMetric, wanted.isMetric else { return self }
    let invert = unit != wanted
    let valid = unit.valuesWithDepth
    return DepthMap(
      height: height, width: width, unit: wanted,
      values: values.map { value in
        guard valid.contains(value) else { return 0 }
        let result = invert ? 1 / value : value
        // Reciprocals of the smallest numbers are infinite and count as missing.
        return result.isFinite ? result : 0
      })
  }

  /// Stretches the valid values over 0…1, by default linearly in disparity, with the nearest point white.
  ///
  /// - Parameters:
  ///   - near: Whether the nearest point becomes 1 (white) or 0 (black).
  ///   - unit: The unit in which the result is linear. In disparity, equal steps are equal parallax, which suits pictures,
  ///     masks and stereo. In metres, equal steps are equal distances. `.normalized` keeps the map's own unit. Relative
  ///     disparity and normalized maps are only stretched and, if necessary, inverted.
  /// - Returns: A map with valid values from exactly 0 to exactly 1. A constant map becomes 0.5 everywhere. Pixels without a
  ///   value are NaN.
  public func normalized(near: Polarity = .white, over unit: Unit = .disparity) -> DepthMap {
    let source = reciprocal(as: unit)
    let result = Unit.normalized(near: near)
    let valid = source.unit.valuesWithDepth
    guard let (low, high) = source.range(), !Self.isConstant(low: low, high: high) else {
      let constant = source.values.map { valid.contains($0) ? Float(0.5) : .nan }
      return DepthMap(height: height, width: width, unit: result, values: constant)
    }
    let turn = source.unit.isLargerNearer != (near == .white)
    let values = source.values.map { value -> Float in
      guard valid.contains(value) else { return .nan }
      let share = (value - low) / (high - low)
      return turn ? 1 - share : share
    }
    return DepthMap(height: height, width: width, unit: result, values: values)
  }

  /// Smallest and largest valid value; `nil` if no pixel has a value.
  public func range() -> (low: Float, high: Float)? {
    valueRange(threads: 1).map { ($0.low, $0.high) }
  }

  /// Smallest and largest valid value, and the number of pixels without a value; `nil` if no pixel has a value.
  package func valueRange(threads: Int) -> ValueRange? {
    return DepthImages.valueRange(of: values, positive: unit.isMetric, threads: threads)
  }
}
