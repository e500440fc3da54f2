import DepthErrors

/// Checks of a map's proportions against a photo's.
extension DepthMap {
  /// Checks that a map has the proportions of a photo, up to one pixel of rounding. Maps of a network's own size are accepted:
  /// 160×128 and 240×192 for every landscape photo, 128×160 and 192×240 for every portrait photo, and multiples of 14 for a
  /// photo whose sides round to these multiples.
  ///
  /// Refinement stretches a map over the photo without this check, because a network's map covers the photo in any proportions.
  /// Call this function for a map from a file, which may belong to another photo.
  ///
  /// - Throws: `DepthError` with code `sizeMismatch`.
  public func checkAspect(of photo: Image) throws {
    try checkAspect(ofHeight: photo.height, width: photo.width)
  }

  /// Checks the proportions for a photo of this size.
  package func checkAspect(ofHeight photoHeight: Int, width photoWidth: Int) throws {
    guard fits(height: photoHeight, width: photoWidth) else {
      throw DepthError.aspectMismatch(photo: (photoHeight, photoWidth), depth: self)
    }
  }

  /// Returns whether the map can belong to a photo of this size, by the rule of ``checkAspect(of:)``.
  package func fits(height photoHeight: Int, width photoWidth: Int) -> Bool {
    hasProportions(height: photoHeight, width: photoWidth)
      || hasNetworkSize(height: photoHeight, width: photoWidth)
      || hasPatches(height: photoHeight, width: photoWidth)
  }

  /// Returns whether the map would fit the photo after a rotation by 90°.
  package func liesOnItsSide(ofHeight photoHeight: Int, width photoWidth: Int) -> Bool {
    !hasProportions(height: photoHeight, width: photoWidth)
      && (hasProportions(height: photoWidth, width: photoHeight)
        || hasNetworkSize(height: photoWidth, width: photoHeight))
  }

  /// Returns whether the proportions are those of a picture of this size, up to one pixel of rounding.
  private func hasProportions(height photoHeight: Int, width photoWidth: Int) -> Bool {
    // Compares the products of each map side and the other photo side.
    let difference = abs(width * photoHeight - height * photoWidth)
    return difference <= max(width, height, photoWidth, photoHeight)
  }

  /// Accepted factor between the proportions of photo and map. The factor accepts a map that a network squeezed, and rejects a
  /// rotated map. A network's own map size fits every photo.
  package static let aspectTolerance = 1.5

  /// Checks that the proportions of map and photo differ by at most a factor.
  ///
  /// - Parameters:
  ///   - photo: The presumed photo of the map.
  ///   - factor: At least 1. A useful factor rejects a rotated map and accepts a map that a network squeezed.
  /// - Throws: `DepthError` with code `sizeMismatch`.
  package func checkAspect(of photo: Image, within factor: Double) throws {
    try checkAspect(ofHeight: photo.height, width: photo.width, within: factor)
  }

  /// Checks the proportions for a photo of this size.
  package func checkAspect(
    ofHeight photoHeight: Int, width photoWidth: Int, within factor: Double
  ) throws {
    let ratio = Double(photoWidth) * Double(height) / (Double(photoHeight) * Double(width))
    guard
      max(ratio, 1 / ratio) <= factor || hasNetworkSize(height: photoHeight, width: photoWidth)
    else { throw DepthError.aspectMismatch(photo: (photoHeight, photoWidth), depth: self) }
  }

  /// Sides of FCRN's maps: for inputs of 304 × 228 and 320 × 256 pixels, and for an input of 480 × 384 pixels.
  private static let networkSides = [(long: 160, short: 128), (long: 240, short: 192)]

  /// Returns whether this may be a map of FCRN's own size. FCRN stretches all photos to one landscape or portrait size.
  private func hasNetworkSize(height photoHeight: Int, width photoWidth: Int) -> Bool {
    let map = photoHeight > photoWidth ? (long: height, short: width) : (long: width, short: height)
    return Self.networkSides.contains { $0 == map }
  }

  /// Side of a patch of Depth Anything, pixels.
  private static let patch = 14

  /// Returns whether this may be a map of Depth Anything's own size: the shorter side is a number of whole patches, and the
  /// longer side is rounded to patches.
  private func hasPatches(height photoHeight: Int, width photoWidth: Int) -> Bool {
    guard height % Self.patch == 0, width % Self.patch == 0 else { return false }
    let difference = abs(width * photoHeight - height * photoWidth)
    return 2 * difference <= Self.patch * min(photoHeight, photoWidth)
  }
}
