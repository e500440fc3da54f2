import DepthErrors
package import DepthImages

extension DepthMap {
  /// The map's own span, for effects.
  ///
  /// - Parameters:
  ///   - focus: The focus. A point refers to `photo`, which may be larger than this map.
  ///   - threads: Number of threads.
  /// - Returns: `nil` for a map without values, or without a value at the focus.
  /// - Throws: `DepthError` for a focus that is impossible in any map of the photo.
  package func focusSpan(
    _ focus: DepthFocus?, of photo: Image, threads: Int
  ) throws -> DepthSpan? {
    guard let disparity = try? Disparity(of: self, threads: threads) else { return nil }
    var span = DepthSpan(near: disparity.near, far: disparity.far)
    guard let focus else { return span }
    if case .range = focus { return span }
    try focus.checkPoint(height: photo.height, width: photo.width)
    let own = focus.scaled(fromHeight: photo.height, width: photo.width, to: self)
    do {
      span.plane = try own.disparity(in: self, disparity, isLens: true)
    } catch let error as DepthError where error.code == .noDepth {
      return nil
    }
    return span
  }
}
