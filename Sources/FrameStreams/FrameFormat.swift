import DepthErrors
import DepthImages
import PictureFiles

/// What frames come as.
package enum FrameFormat: String, Sendable, CaseIterable {
  /// Told by the first bytes: one of the next three.
  case auto
  case y4m
  /// PPM and PGM, one after the other.
  case pnm
  case mjpeg
  /// Without headers; the size is given beside them.
  case rgb24, bgra

  /// Whether the frames themselves do not say their size.
  package var isRaw: Bool { self == .rgb24 || self == .bgra }
}

extension FrameFormat {
  /// The format of a stream that begins with these bytes.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat`.
  init(of start: [UInt8], _ name: String) throws {
    if start == Y4MHeader.signature {
      self = .y4m
    } else if start.starts(with: [0xFF, JPEGMarker.startOfImage]) {
      self = .mjpeg
    } else if start.first == UInt8(ascii: "P"), start.count > 1, (0x31...0x37).contains(start[1]) {
      self = .pnm
    } else {
      throw DepthError(
        .unsupportedFormat, file: name,
        "holds an unknown format, expected YUV4MPEG2, PPM, PGM or Motion JPEG; the format of raw frames must be given",
        cause: SettingAtFault.frameFormat)
    }
  }
}
