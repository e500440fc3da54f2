import DepthImages

extension ImageMetadata {
  /// Bytes of the longest Exif block, profile or packet that is read: profiles of printers have a few megabytes.
  static let blockLimit = 16 << 20

  /// The facts of an Exif block, and a color profile.
  ///
  /// - Parameters:
  ///   - exif: Bytes that are not an Exif block are left out.
  ///   - width: Columns of the photo, upright or as stored.
  ///   - height: Its rows.
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
