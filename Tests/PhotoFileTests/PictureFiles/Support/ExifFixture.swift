@testable import PictureFiles

/// An Exif block that is written entry by entry.
struct ExifFixture {
  var isLittleEndian = true
  var orientation: UInt16 = 1
  /// The value of FocalLengthIn35mmFilm, in millimetres.
  var focalLength: UInt16?
  var pixelDimensions: (x: UInt32, y: UInt32)?
  /// Fractions of FocalLength, in millimetres, and of the focal plane's resolutions.
  var lens, focalPlaneX, focalPlaneY: (numerator: UInt32, denominator: UInt32)?
  var focalPlaneUnit: UInt16?
  var thumbnailOffset: UInt32 = 0

  var bytes: [UInt8] {
    let fractions = [(0x920A, lens), (0xA20E, focalPlaneX), (0xA20F, focalPlaneY)]
      .compactMap { tag, value in value.map { (UInt16(tag), $0) } }
    let others = [
      pixelDimensions.map { entry(0xA002, type: 4, long: $0.x) },
      pixelDimensions.map { entry(0xA003, type: 4, long: $0.y) },
      focalLength.map { entry(0xA405, type: 3, short: $0) },
      focalPlaneUnit.map { entry(0xA210, type: 3, short: $0) },
    ].compactMap { $0 }
    let firstIFD = 8
    let exifIFD = UInt32(firstIFD + 2 + 2 * 12 + 4)
    let head: [UInt8] = Array((isLittleEndian ? "II" : "MM").utf8)
    let tiff = head + short(42) + long(UInt32(firstIFD))
    let first = [entry(0x0112, type: 3, short: orientation), entry(0x8769, type: 4, long: exifIFD)]
    let values = exifIFD + UInt32(2 + 12 * (others.count + fractions.count) + 4)
    let exifEntries =
      others
      + fractions.enumerated().map { entry($1.0, type: 5, long: values + UInt32(8 * $0)) }
    return tiff + ifd(first, next: thumbnailOffset) + ifd(exifEntries, next: 0)
      + fractions.flatMap { long($0.1.numerator) + long($0.1.denominator) }
  }

  /// A JPEG with the block as an APP1 segment after SOI.
  func inserted(into jpeg: [UInt8]) -> [UInt8] {
    var segment: [UInt8] = [0xFF, 0xE1]
    let body = Array("Exif\0\0".utf8) + bytes
    segment.append(bigEndian: UInt16(body.count + 2))
    return JPEGEncoder.inserting(segment + body, into: jpeg)
  }

  private func ifd(_ entries: [[UInt8]], next: UInt32) -> [UInt8] {
    short(UInt16(entries.count)) + entries.joined() + long(next)
  }

  private func entry(_ tag: UInt16, type: UInt16, short value: UInt16) -> [UInt8] {
    short(tag) + short(type) + long(1) + short(value) + [0, 0]
  }

  private func entry(_ tag: UInt16, type: UInt16, long value: UInt32) -> [UInt8] {
    short(tag) + short(type) + long(1) + long(value)
  }

  private func short(_ value: UInt16) -> [UInt8] { ordered(value) }
  private func long(_ value: UInt32) -> [UInt8] { ordered(value) }

  private func ordered<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: value)
    return isLittleEndian ? bytes.reversed() : bytes
  }
}
