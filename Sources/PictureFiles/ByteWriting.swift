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
}
