import DepthImages

extension DepthMap {
  /// Filters a map of relative disparity as shares of its range, since results must not depend on its meaningless scale and
  /// shift.
  ///
  /// - Parameter work: Receives the map normalized, near = white, and returns one of any size.
  /// - Returns: The result of `work` in the units of this map.
  func asShares(_ work: (DepthMap) throws -> DepthMap) rethrows -> DepthMap {
    let result = try work(normalized(near: .white))
    let (low, high) = range() ?? (0, 0)
    return DepthMap(
      height: result.height, width: result.width, unit: unit,
      values: result.values.map { low + $0 * (high - low) })
  }
}
