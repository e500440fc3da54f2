/// A photo's Exif block, made entry by entry.
///
/// > Source: CIPA DC-008 (Exif 2.32), section 4.6.
enum ExifSeed {
  /// Orientation, copyright, location, and in the Exif directory the focal length in two ways.
  static func block(isBigEndian: Bool) -> [UInt8] {
    func number(_ value: UInt32, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
      return isBigEndian ? bytes.reversed() : bytes
    }
    func short(_ tag: UInt32, _ value: UInt32) -> [UInt8] {
      number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + [0, 0]
    }
    /// A value of several bytes, or the place where they are.
    func long(_ tag: UInt32, _ type: UInt32, _ count: UInt32, _ value: UInt32) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4) + number(value, 4)
    }
    let (main, exif, gps, values): (UInt32, UInt32, UInt32, UInt32) = (8, 74, 152, 170)
    return Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(main, 4)
      + number(5, 2) + short(0x0112, 6) + long(0x8298, 2, 8, values) + long(0x8769, 4, 1, exif)
      + long(0x8825, 4, 1, gps) + long(0x010F, 2, 4, 0x4142_4300) + number(0, 4)
      + number(6, 2) + long(0x920A, 5, 1, values + 8) + long(0xA20E, 5, 1, values + 16)
      + short(0xA210, 3) + short(0xA002, 24) + short(0xA003, 16) + short(0xA405, 27) + number(0, 4)
      + number(1, 2) + long(0x0001, 2, 2, 0x4E00_0000) + number(0, 4)
      + Array("A. Maker".utf8) + number(50, 4) + number(10, 4) + number(4000, 4) + number(3, 4)
  }
}
