import CPNG

/// Pixels in and out of PNG files by libpng's simplified interface, in its four layouts used here.
enum PNGPixels {
  /// Layout of the samples in memory.
  enum Layout {
    /// 8-bit sRGB.
    case gray8, rgb8
    /// 16-bit samples, exactly as stored as long as the file has no colour chunks.
    case gray16, rgb16

    var channels: Int { self == .gray8 || self == .gray16 ? 1 : 3 }

    fileprivate var format: png_uint_32 {
      let color: png_uint_32 = channels == 3 ? PNG_FORMAT_FLAG_COLOR : 0
      let linear: png_uint_32 = self == .gray16 || self == .rgb16 ? PNG_FORMAT_FLAG_LINEAR : 0
      return color | linear
    }
  }

  /// All samples of a file, `height·width·channels`, transparency laid over white.
  ///
  /// - Precondition: `Sample` is as wide as the layout says.
  static func decode<Sample: FixedWidthInteger>(
    _ bytes: [UInt8], as layout: Layout, of _: Sample.Type, file: String
  ) throws -> [Sample] {
    func damaged(_ image: png_image) -> ImageCodingError {
      .damaged(file: file, format: "PNG", reason: message(image))
    }
    return try bytes.withUnsafeBytes { bytes in
      var image = png_image()
      image.version = cpng_image_version()
      guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else {
        throw damaged(image)
      }
      defer { png_image_free(&image) }
      image.format = layout.format
      // Photos with 16 bits and no gAMA are sRGB in practice, not linear as libpng assumes.
      if layout == .rgb8 || layout == .gray8 {
        image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
      }
      let count = Int(image.width) * Int(image.height) * layout.channels
      return try [Sample](unsafeUninitializedCapacity: count) { buffer, initialized in
        var white = png_color(red: 255, green: 255, blue: 255)
        guard png_image_finish_read(&image, &white, buffer.baseAddress, 0, nil) != 0 else {
          throw damaged(image)
        }
        initialized = count
      }
    }
  }

  /// A PNG file of `height·width·channels` samples.
  ///
  /// - Precondition: `Sample` is as wide as the layout says.
  static func encode<Sample: FixedWidthInteger>(
    _ samples: [Sample], height: Int, width: Int, as layout: Layout
  ) throws -> [UInt8] {
    precondition(
      samples.count == height * width * layout.channels,
      "\(samples.count) samples, expected \(height * width * layout.channels)")
    var image = png_image()
    image.version = cpng_image_version()
    (image.width, image.height) = (png_uint_32(width), png_uint_32(height))
    image.format = layout.format
    let capacity = cpng_image_maximum_size(&image)
    return try [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      var size = capacity
      let status = png_image_write_to_memory(&image, buffer.baseAddress, &size, 0, samples, 0, nil)
      guard status != 0 else {
        throw ImageCodingError.unencodable(format: "PNG", reason: message(image))
      }
      count = size
    }
  }

  /// libpng's reason, in our words where it is the usual one.
  private static func message(_ image: png_image) -> String {
    let text = withUnsafeBytes(of: image.message) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    if text.contains("Not enough image data") || text.contains("beyond end of data") {
      return "ends before all pixels are there"
    }
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
