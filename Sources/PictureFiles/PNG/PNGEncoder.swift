import DepthBase
import DepthImages

/// RGB to 8-bit PNG, with the photo's Exif block and color profile put back.
package enum PNGEncoder {
  /// The bytes of a file; the same for any number of threads.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat` when the picture is too large.
  static func bytes(
    of image: Image, compression: PNGCompression, threads: Int, cancellation: Cancellation? = nil
  ) throws -> [UInt8] {
    try PNGWriter(
      height: image.height, width: image.width, layout: .rgb8, compression: compression
    ).file(
      image.pixels, chunks: chunks(of: image), threads: threads, cancellation: cancellation)
  }

  private static func chunks(of image: Image) throws -> [UInt8] {
    var result = PNGChunks.software(image.metadata.software)
    if let profile = image.metadata.iccProfile, ICCProfile.describesRGB(profile) {
      result += try ICCProfile.chunk(profile)
    } else {
      result += PNGChunks.chunk("sRGB", [0])  // perceptual rendering intent
    }
    if let exif = image.metadata.exif.flatMap(ExifBlock.init) {
      result += PNGChunks.chunk("eXIf", exif.upright(width: image.width, height: image.height))
    }
    return result
  }
}
