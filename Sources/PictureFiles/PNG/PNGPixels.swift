import DepthBase
import DepthErrors

#if Codecs
  import CDepthPNG
#endif

/// Decodes PNG files by libpng's simplified interface.
package enum PNGPixels {
  /// Layout of samples in memory. Samples of 8 bits are sRGB. Samples of 16 bits are as stored if the file has no
  /// color chunks.
  struct Layout: Equatable {
    var hasColor: Bool
    var hasAlpha = false
    var is16Bit = false

    static let rgb8 = Layout(hasColor: true)

    var channels: Int { (hasColor ? 3 : 1) + (hasAlpha ? 1 : 0) }

    #if Codecs
      fileprivate var format: png_uint_32 {
        (hasColor ? PNG_FORMAT_FLAG_COLOR : 0) | (hasAlpha ? PNG_FORMAT_FLAG_ALPHA : 0)
          | (is16Bit ? PNG_FORMAT_FLAG_LINEAR : 0)
      }
    #endif
  }

  /// All samples of a file, `height·width·channels`. If the layout has no alpha, transparent pixels are drawn
  /// over white.
  ///
  /// - Precondition: `Sample` is as wide as the layout's samples.
  ///
  /// - Throws: `DepthError` with code `damaged`.
  static func decode<Sample: FixedWidthInteger>(
    _ bytes: [UInt8], as layout: Layout, of _: Sample.Type, file: String
  ) throws -> [Sample] {
    #if Codecs
      func damaged(_ image: png_image) -> DepthError {
        unsafe .damaged(
          file: file, format: "PNG", reason: PNGChunks.wrongSum(in: bytes) ?? message(image))
      }
      return try unsafe bytes.withUnsafeBytes { bytes in
        var image = unsafe png_image()
        unsafe image.version = cpng_image_version()
        guard unsafe png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0
        else {
          throw unsafe damaged(image)
        }
        defer { unsafe png_image_free(&image) }
        unsafe image.format = layout.format
        // Photos with 16 bits and no gAMA are sRGB in practice, although libpng assumes linear light.
        if !layout.is16Bit { unsafe image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB) }
        let count = unsafe Int(image.width) * Int(image.height) * layout.channels
        return try unsafe [Sample](unsafeUninitializedCapacity: count) { buffer, initialized in
          var white = png_color(red: 255, green: 255, blue: 255)
          guard unsafe png_image_finish_read(&image, &white, buffer.baseAddress, 0, nil) != 0 else {
            throw unsafe damaged(image)
          }
          initialized = count
        }
      }
    #else
      throw DepthError.withoutCodecs(format: "PNG", file: file)
    #endif
  }

  #if Codecs
    /// libpng's message, rephrased if common.
    private static func message(_ image: png_image) -> String {
      let text = unsafe withUnsafeBytes(of: image.message) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if text.contains("Not enough image data") || text.contains("beyond end of data") {
        return "ends before its last pixel"
      }
      // A message such as "IDAT: invalid code" begins with a chunk's name, whose capitals are kept.
      let namesChunk = text.dropFirst(4).hasPrefix(":")
      return namesChunk ? text : text.prefix(1).lowercased() + text.dropFirst()
    }
  #endif
}
