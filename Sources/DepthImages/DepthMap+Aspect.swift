import DepthErrors

/// Checks by proportions whether a map can belong to a photo.
///
/// A map of the published network's size, 160×128 or upright 128×160, can belong to every photo of that
/// orientation, because the network stretches all photos to one shape.
extension DepthMap {
  /// Checks that a map has the same proportions as a photo, up to one pixel of rounding. A map of the network's size, 160×128 or
  /// upright 128×160, fits every photo of its orientation.
  ///
  /// Refinement does not check: it stretches the map over the photo, because a network's map covers the photo in any
  /// proportions. Call this function for a map from a file, which may belong to another photo.
  ///
  /// - Throws: `DepthError` with code `sizeMismatch`.
  public func checkAspect(of photo: Image) throws {
    try require(fits(height: photo.height, width: photo.width), for: photo)
  }

  /// Whether the map would fit the photo if it were turned by 90°.
  package func liesOnItsSide(of photo: Image) -> Bool {
    !fits(height: photo.height, width: photo.width)
      && fits(height: photo.width, width: photo.height)
  }

  /// Whether the proportions are those of a picture of this size, up to one pixel of rounding.
  private func fits(height photoHeight: Int, width photoWidth: Int) -> Bool {
    // Each side times the other's scale, in units of pixels of map and photo.
    let difference = abs(width * photoHeight - height * photoWidth)
    return difference <= max(width, height, photoWidth, photoHeight)
  }

  /// Proportions of photo and map may differ by this factor: networks squeeze what they see, but a
  /// map lying on its side is not one of this photo. The network's own size fits every photo.
  package static let aspectTolerance = 1.5

  /// Checks that the proportions of map and photo differ by at most a factor.
  ///
  /// - Parameters:
  ///   - photo: The photo that the map is said to belong to.
  ///   - factor: At least 1; what rejects a map lying on its side but not one that a network
  ///     squeezed.
  /// - Throws: `DepthError` with code `sizeMismatch`.
  package func checkAspect(of photo: Image, within factor: Double) throws {
    try require(hasAspect(height: photo.height, width: photo.width, within: factor), for: photo)
  }

  /// Whether the proportions differ by at most a factor from those of a photo of this size.
  package func hasAspect(height photoHeight: Int, width photoWidth: Int, within factor: Double)
    -> Bool
  {
    let ratio = Double(photoWidth) * Double(height) / (Double(photoHeight) * Double(width))
    return max(ratio, 1 / ratio) <= factor
  }

  private func require(_ fits: Bool, for photo: Image) throws {
    guard fits || hasNetworkSize(for: photo) else {
      throw DepthError.aspectMismatch(photo: photo, depth: self)
    }
  }

  /// Sides of a map as the network gives it for 304 × 228 pixels, the size that it was trained on.
  private static let networkSides = (long: 160, short: 128)

  /// Whether this may be the network's own map of a photo, whatever the photo's proportions: the
  /// network stretches them all to one shape, lying or upright.
  private func hasNetworkSize(for photo: Image) -> Bool {
    let sides = Self.networkSides
    return photo.height > photo.width
      ? height == sides.long && width == sides.short : height == sides.short && width == sides.long
  }
}
