/// The fields of an Exif block that this module uses. Every offset is untrusted.
///
/// > Source: CIPA DC-008 (Exif 2.32), tables 3 and 8; TIFF 6.0, section 2. Only IFD 0 and the Exif IFD are read, each
/// > once, so that offsets cannot form a cycle.
package struct ExifBlock {
  enum Tag {
    static let orientation: UInt16 = 0x0112
    static let exifIFD: UInt16 = 0x8769
    static let interoperabilityIFD: UInt16 = 0xA005
    static let pixelXDimension: UInt16 = 0xA002
    static let pixelYDimension: UInt16 = 0xA003
    static let focalLength: UInt16 = 0x920A
    static let focalPlaneXResolution: UInt16 = 0xA20E
    static let focalPlaneYResolution: UInt16 = 0xA20F
    static let focalPlaneResolutionUnit: UInt16 = 0xA210
    static let focalLengthIn35mmFilm: UInt16 = 0xA405
  }

  /// TIFF structure, without the `Exif\0\0` marker.
  let bytes: [UInt8]
  let reader: ByteReader
  let firstIFD: Int

  /// Fails if the bytes are not a TIFF structure. In some PNG files, a JPEG's marker `Exif\0\0` precedes the structure.
  init?(_ bytes: [UInt8]) {
    let bytes = bytes.starts(with: "Exif\0".utf8) ? Array(bytes.dropFirst(6)) : bytes
    var reader = ByteReader(bytes: bytes)
    if reader.holds("II", at: 0) {
      reader.order = .little
    } else if !reader.holds("MM", at: 0) {
      return nil
    }
    guard reader.integer(UInt16.self, at: 2) == 42,
      let firstIFD = reader.integer(UInt32.self, at: 4)
    else { return nil }
    (self.bytes, self.reader, self.firstIFD) = (bytes, reader, Int(firstIFD))
  }

  /// The orientation of the stored pixels; upright if the block has no valid orientation.
  var orientation: Orientation {
    entry(Tag.orientation, inIFD: firstIFD).flatMap(wholeNumber).flatMap(Orientation.init) ?? .up
  }

  /// The block adapted to upright pixels of this size.
  ///
  /// The orientation becomes 1, and the pixel dimensions become those of the upright picture. The thumbnail is not
  /// rotated, so its link is removed.
  func upright(width: Int, height: Int) -> [UInt8] {
    var result = bytes
    for entry in entries(Tag.orientation, inIFD: firstIFD) {
      // Entries of any type are replaced: an unread orientation must not rotate the picture in other programs.
      let one = ordered(UInt16(3)) + ordered(UInt32(1)) + ordered(UInt16(1)) + [0, 0]
      result.replaceSubrange(entry + 2..<entry + 12, with: one)
    }
    if let exifIFD = value(of: Tag.exifIFD, inIFD: firstIFD) {
      if let entry = entry(Tag.pixelXDimension, inIFD: exifIFD) {
        set(width, of: entry, in: &result)
      }
      if let entry = entry(Tag.pixelYDimension, inIFD: exifIFD) {
        set(height, of: entry, in: &result)
      }
    }
    if let count = reader.integer(UInt16.self, at: firstIFD) {
      let next = firstIFD + 2 + 12 * Int(count)
      if next <= bytes.count - 4 { result.replaceSubrange(next..<next + 4, with: [0, 0, 0, 0]) }
    }
    return result
  }

  /// Offset of the first complete 12-byte entry of `tag`.
  func entry(_ tag: UInt16, inIFD ifd: Int) -> Int? {
    entries(tag, inIFD: ifd).first { _ in true }
  }

  /// Offsets of all entries of `tag`, since programs disagree on which of several entries applies.
  private func entries(_ tag: UInt16, inIFD ifd: Int) -> some Sequence<Int> {
    let count = reader.integer(UInt16.self, at: ifd).map { Int($0) } ?? 0
    return (0..<count).lazy.map { ifd + 2 + 12 * $0 }.prefix { $0 <= bytes.count - 12 }
      .filter { reader.integer(UInt16.self, at: $0) == tag }
  }

  /// A single whole number of any type. Some cameras write orientations with types other than SHORT, and readers accept
  /// them.
  private func wholeNumber(of entry: Int) -> Int? {
    guard reader.integer(UInt32.self, at: entry + 4) == 1,
      let type = reader.integer(UInt16.self, at: entry + 2)
    else { return nil }
    let place = entry + 8
    switch type {
    case 1: return reader.integer(UInt8.self, at: place).map { Int($0) }
    case 3: return reader.integer(UInt16.self, at: place).map { Int($0) }
    case 4: return reader.integer(UInt32.self, at: place).map { Int($0) }
    case 6: return reader.integer(UInt8.self, at: place).map { Int(Int8(bitPattern: $0)) }
    case 8: return reader.integer(UInt16.self, at: place).map { Int(Int16(bitPattern: $0)) }
    case 9: return reader.integer(UInt32.self, at: place).map { Int(Int32(bitPattern: $0)) }
    case 5, 10:
      // A negative fraction is read as unsigned, and is not a valid orientation either.
      guard let offset = reader.integer(UInt32.self, at: place),
        let numerator = reader.integer(UInt32.self, at: Int(offset)),
        let denominator = reader.integer(UInt32.self, at: Int(offset) + 4),
        denominator > 0, numerator.isMultiple(of: denominator)
      else { return nil }
      return Int(numerator / denominator)
    default: return nil
    }
  }

  /// A single number of type SHORT or LONG, which are the only types of the tags in use.
  func value(of tag: UInt16, inIFD ifd: Int) -> Int? {
    guard let entry = entry(tag, inIFD: ifd), reader.integer(UInt32.self, at: entry + 4) == 1
    else { return nil }
    return switch reader.integer(UInt16.self, at: entry + 2) {
    case 3: reader.integer(UInt16.self, at: entry + 8).map { Int($0) }
    case 4: reader.integer(UInt32.self, at: entry + 8).map { Int($0) }
    default: nil
    }
  }

  private func set(_ value: Int, of entry: Int, in bytes: inout [UInt8]) {
    let isShort = reader.integer(UInt16.self, at: entry + 2) == 3
    guard isShort && value <= UInt16.max || reader.integer(UInt16.self, at: entry + 2) == 4,
      reader.integer(UInt32.self, at: entry + 4) == 1
    else { return }
    let number = isShort ? ordered(UInt16(value)) : ordered(UInt32(value))
    bytes.replaceSubrange(entry + 8..<entry + 8 + number.count, with: number)
  }

  /// A number in the block's own byte order.
  func ordered<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    reader.order == .little ? [UInt8](littleEndian: value) : [UInt8](bigEndian: value)
  }
}
