package import DepthImages
import DepthRefinement

extension DepthMap {
  /// The map at the photo's size: a smaller map is joint-upsampled, a map of the photo's size is unchanged.
  ///
  /// - Throws: `DepthError` for a map whose proportions differ from the photo's.
  package func sized(for photo: Image, threads: Int) throws -> DepthMap {
    try checkAspect(of: photo, within: Self.aspectTolerance)
    guard height != photo.height || width != photo.width else { return self }
    let isSmaller = height <= photo.height && width <= photo.width
    return try refined(
      guidedBy: photo, method: isSmaller ? .joint(JointFilter()) : .none, threads: threads)
  }

  /// The map with a value at every pixel. A map without gaps is unchanged.
  func filled(for photo: Image, threads: Int) throws -> DepthMap {
    if valueRange(threads: threads)?.missing == 0 { return self }
    return try refined(
      guidedBy: photo, method: .none, resolution: .size(height: height, width: width),
      fillsMissing: true, threads: threads)
  }
}
