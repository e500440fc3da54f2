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
    let stored = try chunks.photoPixels(file: file)
    let exif = chunks.exif
    let upright = Orientation(exif: exif)
      .upright(stored, height: chunks.height, width: chunks.width)
    return Image(
      height: upright.height, width: upright.width, pixels: upright.pixels,
      metadata: ImageMetadata(
        decodingExif: exif, iccProfile: ICCProfile.profile(of: chunks), width: chunks.width,
        height: chunks.height))
  }
}
