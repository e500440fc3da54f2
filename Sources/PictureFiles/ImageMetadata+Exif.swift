import DepthImages

extension ImageMetadata {
  /// Maximum bytes of an Exif block, profile or packet; a printer's profile has a few megabytes.
  static let blockLimit = 16 << 20

  /// Creates metadata from an Exif block and a color profile.
  ///
  /// - Parameters:
  ///   - exif: An Exif block; other bytes are ignored.
  ///   - width: Columns of the photo, upright or as stored.
  ///   - height: Rows of the photo.
  package init(
    decodingExif exif: [UInt8]?, iccProfile: [UInt8]? = nil, width: Int, height: Int
  ) {
    guard let block = exif.flatMap(ExifBlock.init) else {
      self.init(iccProfile: iccProfile)
      return
    }
    let length = block.focalLength(width: width, height: height)
    self.init(
      iccProfile: iccProfile, exif: block.bytes, focalLengthIn35mmFilm: length?.equivalent,
      focalLengthIsExact: length?.isExact ?? false)
  }
}
