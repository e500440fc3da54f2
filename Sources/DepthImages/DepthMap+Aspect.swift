import DepthErrors

/// Checks by proportions whether a map can belong to a photo.
extension DepthMap {
  /// Checks that a map has the same proportions as a photo, up to one pixel of rounding. Maps as the networks give them fit, too: one of
  /// 160×128 or upright 128×160 every photo of its orientation, and one whose sides are multiples of 14 a photo whose sides round to them.
  ///
  /// Refinement does not check: it stretches the map over the photo, because a network's map covers the photo in any
  /// proportions. Call this function for a map from a file, which may belong to another photo.
  ///
  /// - Throws: `DepthError` with code `sizeMismatch`.
  public func checkAspect(of photo: Image) throws {
    try checkAspect(ofHeight: photo.height, width: photo.width)
  }

  /// The same for a photo of this size.
  package func checkAspect(ofHeight photoHeight: Int, width photoWidth: Int) throws {
    guard fits(height: photoHeight, width: photoWidth) else {
      throw DepthError.aspectMismatch(photo: (photoHeight, photoWidth), depth: self)
    }
  }

  /// Whether the map can belong to a photo of this size, by the rule of ``checkAspect(of:)``.
  package func fits(height photoHeight: Int, width photoWidth: Int) -> Bool {
    hasProportions(height: photoHeight, width: photoWidth)
      || hasNetworkSize(height: photoHeight, width: photoWidth)
      || hasPatches(height: photoHeight, width: photoWidth)
  }

  /// Whether the map would fit the photo if it were turned by 90°.
  package func liesOnItsSide(ofHeight photoHeight: Int, width photoWidth: Int) -> Bool {
    !hasProportions(height: photoHeight, width: photoWidth)
      && hasProportions(height: photoWidth, width: photoHeight)
  }

  /// Whether the proportions are those of a picture of this size, up to one pixel of rounding.
  private func hasProportions(height photoHeight: Int, width photoWidth: Int) -> Bool {
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
    try checkAspect(ofHeight: photo.height, width: photo.width, within: factor)
  }

  /// The same for a photo of this size.
  package func checkAspect(
    ofHeight photoHeight: Int, width photoWidth: Int, within factor: Double
  ) throws {
    let ratio = Double(photoWidth) * Double(height) / (Double(photoHeight) * Double(width))
    guard
      max(ratio, 1 / ratio) <= factor || hasNetworkSize(height: photoHeight, width: photoWidth)
    else { throw DepthError.aspectMismatch(photo: (photoHeight, photoWidth), depth: self) }
  }

  /// Sides of a map as FCRN gives it for 304 × 228 pixels, the size that it was trained on.
  private static let networkSides = (long: 160, short: 128)

  /// Whether this may be FCRN's own map of a photo, whatever the photo's proportions: the
  /// network stretches them all to one shape, lying or upright.
  private func hasNetworkSize(height photoHeight: Int, width photoWidth: Int) -> Bool {
    let sides = Self.networkSides
    return photoHeight > photoWidth
      ? height == sides.long && width == sides.short : height == sides.short && width == sides.long
  }

  /// Pixels of a side of Depth Anything's patches.
  private static let patch = 14

  /// Whether this may be Depth Anything's own map of a photo: the shorter side is a number of patches, the longer one is rounded to
  /// patches.
  private func hasPatches(height photoHeight: Int, width photoWidth: Int) -> Bool {
    guard height % Self.patch == 0, width % Self.patch == 0 else { return false }
    let difference = abs(width * photoHeight - height * photoWidth)
    return 2 * difference <= Self.patch * min(photoHeight, photoWidth)
  }
}
