import DepthErrors
package import DepthImages
import PictureFiles

/// Encodes pictures as frames of a stream.
package struct PictureFrameEncoder: Sendable {
  package let storage: FrameStorage
  /// Frames per second, in the header of YUV4MPEG2.
  package let rate: Ratio
  /// Width over height of a pixel; `0:0` if unknown.
  package let pixelAspect: Ratio
  /// Quality of Motion JPEG, 1…100.
  package let quality: Int

  package init(
    storage: FrameStorage, rate: Ratio, pixelAspect: Ratio = Ratio(0, 0),
    quality: Int = ImageFileFormat.defaultQuality
  ) {
    (self.storage, self.rate) = (storage, rate)
    (self.pixelAspect, self.quality) = (pixelAspect, quality)
  }

  /// The stream's header, before the first picture; empty for formats without a header.
  package func header(size: PixelSize) -> [UInt8] {
    guard case .y4m(let layout) = storage else { return [] }
    return Array(
      "YUV4MPEG2 W\(size.width) H\(size.height) F\(rate) Ip A\(pixelAspect) \(layout.opaque.tags)\n"
        .utf8)
  }

  /// Encodes one picture.
  ///
  /// - Throws: `DepthError` for a picture that is too large for JPEG.
  package func frame(_ picture: Image) throws -> [UInt8] {
    switch storage {
    case .y4m(let layout): return layout.opaque.planes(picture, after: Array("FRAME\n".utf8))
    case .rgb24: return picture.pixels
    case .bgra:
      var bytes = [UInt8](repeating: 255, count: picture.pixels.count / 3 * 4)
      for pixel in 0..<picture.pixels.count / 3 {
        for channel in 0..<3 {
          bytes[4 * pixel + 2 - channel] = picture.pixels[3 * pixel + channel]
        }
      }
      return bytes
    case .ppm: return Array("P6\n\(picture.width) \(picture.height)\n255\n".utf8) + picture.pixels
    case .mjpeg: return try picture.encoded(as: .jpeg(quality: quality))
    }
  }
}
