import DepthErrors

/// Explicit changes of unit. Pixels without a value stay without one: 0 in metres and disparity,
/// NaN in normalized maps.
extension DepthMap {
  /// The same map in metres.
  ///
  /// - Throws: `DepthError` with code `unknownUnit` for a normalized map, which has lost its
  ///   scale, and for relative disparity, which never had one.
  public func inMetres() throws -> DepthMap { try withUnit().reciprocal(as: .metres) }

  /// The same map as disparity, 1 / metres.
  ///
  /// - Throws: `DepthError` with code `unknownUnit` for a normalized map, which has lost its
  ///   scale, and for relative disparity, which never had one.
  public func inDisparity() throws -> DepthMap { try withUnit().reciprocal(as: .disparity) }

  private func withUnit() throws -> DepthMap {
    try unit.requireMetric(for: "the conversion")
    return self
  }

  /// The map in metres or disparity; to and from units without distances the numbers are kept.
  private func reciprocal(as wanted: Unit) -> DepthMap {
    guard unit.isMetric, wanted.isMetric else { return self }
    let invert = unit != wanted
    let valid = unit.valuesWithDepth
    return DepthMap(
      height: height, width: width, unit: wanted,
      values: values.map { value in
        guard valid.contains(value) else { return 0 }
        let result = invert ? 1 / value : value
        // The reciprocal of the smallest numbers is infinite: no value either.
        return result.isFinite ? result : 0
      })
  }

  /// Stretches the valid values over 0…1, by default linearly in disparity, with the nearest point white.
  ///
  /// - Parameters:
  ///   - near: Whether the nearest point becomes 1 (white) or 0 (black).
  ///   - unit: The unit in which the result is linear. Disparity suits pictures, masks and stereo, because equal steps are equal
  ///     parallax; with metres, equal steps are equal distances. `.normalized` keeps the map's own unit. A map of relative disparity,
  ///     or one that is already normalized, is only stretched and, if necessary, inverted.
  /// - Returns: A map whose valid values range from exactly 0 to exactly 1. A constant map becomes 0.5 everywhere. Pixels without a
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

  /// Smallest and largest valid value, and how many pixels have none; `nil` when no pixel has one.
  package func valueRange(threads: Int) -> ValueRange? {
    return DepthImages.valueRange(of: values, positive: unit.isMetric, threads: threads)
  }
}
