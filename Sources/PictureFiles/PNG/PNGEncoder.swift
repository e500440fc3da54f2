import DepthBase
import DepthImages

/// Encodes RGB or RGBA as an 8-bit PNG with the photo's Exif block and color profile.
package enum PNGEncoder {
  /// The bytes of a file, which do not depend on the number of threads.
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

  /// The bytes of a file with an alpha channel. RGB is 0 where alpha is 0.
  ///
  /// - Parameter alpha: `height · width` samples, 255 where the picture is opaque.
  /// - Throws: `DepthError` with code `unsupportedFormat` when the picture is too large.
  static func bytes(
    of image: Image, alpha: [UInt8], compression: PNGCompression, threads: Int,
    cancellation: Cancellation? = nil
  ) throws -> [UInt8] {
    precondition(
      alpha.count == image.height * image.width,
      "\(alpha.count) samples of alpha, expected \(image.height * image.width)")
    return try PNGWriter(
      height: image.height, width: image.width, layout: .rgba8, compression: compression
    ).file(chunks: chunks(of: image), threads: threads, cancellation: cancellation) { rows in
      let pixels = rows.lowerBound * image.width..<rows.upperBound * image.width
      return filledArray(count: 4 * pixels.count) { (samples: inout MutableSpan<UInt8>) in
        for (index, pixel) in pixels.enumerated() {
          for channel in 0..<3 {
            samples[4 * index + channel] = alpha[pixel] > 0 ? image.pixels[3 * pixel + channel] : 0
          }
          samples[4 * index + 3] = alpha[pixel]
        }
      }
    }
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
