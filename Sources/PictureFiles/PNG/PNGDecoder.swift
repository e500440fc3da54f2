import DepthImages

/// PNG to upright RGB.
enum PNGDecoder {
  /// Decodes a whole file.
  ///
  /// Transparency is laid over white, as most viewers show it: the color stored under a transparent
  /// pixel is not meant to be seen. Exif turns the picture as it does in a JPEG.
  ///
  /// - Throws: `DepthError` with code `damaged`.
  static func image(_ chunks: PNGChunks, file: String) throws -> Image {
    Image(
      stored: try chunks.photoPixels(file: file), height: chunks.height, width: chunks.width,
      exif: chunks.exif, iccProfile: ICCProfile.profile(of: chunks))
  }
}
