package import DepthErrors

extension DepthError {
  /// The error for a map without distances. A normalized map has lost its scale, and relative disparity never
  /// had a scale.
  ///
  /// - Parameters:
  ///   - purpose: The use of the distances, such as "a depth photo".
  ///   - unit: The unit of the map.
  package static func noUnit(
    for purpose: String, found unit: DepthMap.Unit = .normalized(near: .white)
  ) -> DepthError {
    let isRelative = unit == .relativeDisparity
    let found =
      isRelative
      ? "relative disparity, whose scale is unknown: use metric weights or a calibration to known points"
      : "a normalized map, which has no unit"
    return DepthError(
      .unknownUnit, "\(purpose) needs depth in metres or disparity, found \(found)",
      cause: isRelative ? SettingAtFault.relativeDepth : nil)
  }

  /// The error for a map whose proportions are exchanged, or differ too much from the photo's proportions.
  package static func aspectMismatch(photo: Image, depth: DepthMap) -> DepthError {
    aspectMismatch(photo: (photo.height, photo.width), depth: depth)
  }

  /// The error for a photo of this size.
  package static func aspectMismatch(
    photo: (height: Int, width: Int), depth: DepthMap
  ) -> DepthError {
    let isTurned = depth.liesOnItsSide(ofHeight: photo.height, width: photo.width)
    return DepthError(
      .sizeMismatch,
      "the depth map is \(depth.width)×\(depth.height) pixels and the photo "
        + "\(photo.width)×\(photo.height), expected the same proportions"
        + (isTurned ? "; the map is rotated by 90°, rotate it first" : ""))
  }
}
