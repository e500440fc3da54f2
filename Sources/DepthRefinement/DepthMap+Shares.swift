import DepthImages

extension DepthMap {
  /// Work on a map of relative disparity, done on the shares of its range: neither its scale nor its shift means anything, and
  /// filters must not depend on them.
  ///
  /// - Parameter work: Gets the map normalized, near = white, and gives one of any size.
  /// - Returns: The result of `work` in the units of this map.
  func asShares(_ work: (DepthMap) throws -> DepthMap) rethrows -> DepthMap {
    let result = try work(normalized(near: .white))
    let (low, high) = range() ?? (0, 0)
    return DepthMap(
      height: result.height, width: result.width, unit: unit,
      values: result.values.map { low + $0 * (high - low) })
  }
}
