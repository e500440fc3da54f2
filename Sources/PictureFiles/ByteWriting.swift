extension [UInt8] {
  /// The bytes of `value`, least significant first.
  package init<T: FixedWidthInteger>(littleEndian value: T) {
    self = []
    append(littleEndian: value)
  }

  /// The bytes of `value`, most significant first.
  package init<T: FixedWidthInteger>(bigEndian value: T) {
    self = []
    append(bigEndian: value)
  }

  /// Appends `value`, least significant byte first.
  package mutating func append<T: FixedWidthInteger>(littleEndian value: T) {
    for index in 0..<T.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: value >> T(truncatingIfNeeded: index * 8)))
    }
  }

  /// Appends `value`, most significant byte first.
  package mutating func append<T: FixedWidthInteger>(bigEndian value: T) {
    append(littleEndian: value.byteSwapped)
  }
  /// A box of an ISO media file, with a four-letter type.
  package static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    [UInt8](bigEndian: UInt32(8 + content.count)) + type.utf8 + content
  }

  /// A box whose content follows a version and flags.
  package static func fullBox(
    _ type: String, version: UInt32 = 0, flags: UInt32 = 0, _ content: [UInt8]
  ) -> [UInt8] {
    box(type, [UInt8](bigEndian: version << 24 | flags) + content)
  }
}
