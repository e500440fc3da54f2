import DepthBase
import DepthErrors
import DepthImages

/// Decodes WebP to upright RGB by libwebp. Transparent pixels are drawn over white.
enum WebPDecoder {
  /// - Throws: `DepthError`.
  static func image(_ header: WebPHeader, file: String) throws -> Image {
    let frame = header.frame
    let decoded = try ChildDecoder(format: .webp, file: file).decode(
      .photo, in: frame.file, height: frame.height, width: frame.width, hasAlpha: frame.hasAlpha)
    let canvas =
      (frame.height, frame.width) == (header.height, header.width)
      ? decoded.pixels : placed(decoded.pixels, frame, on: header)
    return Image(
      stored: canvas, height: header.height, width: header.width, exif: header.exif,
      iccProfile: header.iccProfile)
  }

  /// A frame on a white canvas.
  private static func placed(
    _ pixels: [UInt8], _ frame: WebPHeader.Frame, on header: WebPHeader
  ) -> [UInt8] {
    var canvas = [UInt8](repeating: 255, count: header.height * header.width * 3)
    let row = frame.width * 3
    for y in 0..<frame.height {
      let start = ((frame.y + y) * header.width + frame.x) * 3
      canvas.replaceSubrange(start..<start + row, with: pixels[y * row..<(y + 1) * row])
    }
    return canvas
  }
}
