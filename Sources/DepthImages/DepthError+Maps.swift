package import DepthErrors

extension DepthError {
  /// A normalized map has lost its scale; no distances follow from it.
  ///
  /// - Parameter purpose: What the distances are needed for, such as "a depth photo".
  package static func noUnit(for purpose: String) -> DepthError {
    DepthError(
      .unknownUnit,
      "\(purpose) needs depth in metres or disparity, found a normalized map, which has no unit")
  }

  /// The map cannot be of this photo: their sides differ too much in proportion.
  package static func aspectMismatch(photo: Image, depth: DepthMap) -> DepthError {
    DepthError(
      .sizeMismatch,
      "the depth map is \(depth.width)×\(depth.height) pixels and the photo "
        + "\(photo.width)×\(photo.height), expected the same proportions")
  }
}
