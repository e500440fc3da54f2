extension DepthMap {
  /// Sides of a map as the network gives it for 304 × 228 pixels, the size that it was trained on.
  private static let networkSides = (long: 160, short: 128)

  /// Whether this may be the network's own map of a photo, whatever the photo's proportions: the
  /// network stretches them all to one shape, lying or upright.
  func hasNetworkSize(for photo: Image) -> Bool {
    let sides = Self.networkSides
    return photo.height > photo.width
      ? height == sides.long && width == sides.short : height == sides.short && width == sides.long
  }
}
