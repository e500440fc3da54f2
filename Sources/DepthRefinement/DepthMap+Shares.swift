import DepthImages

extension DepthMap {
  /// Filters a map of relative disparity as shares of the map's range. Results then do not depend on the arbitrary scale and
  /// shift of the map.
  ///
  /// - Parameter work: A function of the normalized map, near = white, that returns a map of any size.
  /// - Returns: The result of `work` in the units of this map.
  func asShares(_ work: (DepthMap) throws -> DepthMap) rethrows -> DepthMap {
    let result = try work(normalized(near: .white))
    let (low, high) = range() ?? (0, 0)
    return DepthMap(
      height: result.height, width: result.width, unit: unit,
      values: result.values.map { low + $0 * (high - low) })
  }
}
