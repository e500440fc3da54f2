import DepthErrors
public import DepthImages

extension DepthMap {
  /// Checks that a map from elsewhere has the shape of the photo it is said to belong to.
  ///
  /// Refinement itself stretches: a network's map covers the photo whatever its own shape. A map from
  /// a file may just be the wrong one, and this tells, up to one pixel of rounding on either side. A map of
  /// the size that the published network gives, 160×128 or upright 128×160, belongs to any photo that
  /// lies or stands likewise: the network stretches them all to one shape.
  ///
  /// - Throws: ``DepthError`` with code `sizeMismatch`.
  public func checkAspect(of photo: Image) throws {
    guard !hasNetworkSize(for: photo) else { return }
    // Each side over the other's scale, in units of pixels of map and photo.
    let difference = abs(width * photo.height - height * photo.width)
    guard difference > max(width, height, photo.width, photo.height) else { return }
    throw DepthError.aspectMismatch(photo: photo, depth: self)
  }
}
