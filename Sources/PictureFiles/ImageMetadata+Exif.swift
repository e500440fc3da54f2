import DepthImages

extension ImageMetadata {
  /// The facts of an Exif block, and a color profile.
  ///
  /// - Parameter exif: Bytes that are not an Exif block are left out.
  package init(decodingExif exif: [UInt8]?, iccProfile: [UInt8]? = nil) {
    guard let block = exif.flatMap(ExifBlock.init) else {
      self.init(iccProfile: iccProfile)
      return
    }
    self.init(
      iccProfile: iccProfile, exif: block.bytes,
      focalLengthIn35mmFilm: block.focalLengthIn35mmFilm,
      focalLengthIsExact: block.focalLengthIsExact)
  }
}
