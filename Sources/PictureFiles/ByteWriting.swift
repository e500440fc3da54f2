extension [UInt8] {
  /// The bytes of `value`, least significant first.
  package init<T: FixedWidthInteger>(littleEndian value: T) {
    self = (0..<T.bitWidth / 8).map {
      UInt8(truncatingIfNeeded: value >> T(truncatingIfNeeded: $0 * 8))
    }
  }

  /// The bytes of `value`, most significant first.
  package init<T: FixedWidthInteger>(bigEndian value: T) {
    self = Self(littleEndian: value).reversed()
  }

  /// Appends `value`, least significant byte first.
  package mutating func append<T: FixedWidthInteger>(littleEndian value: T) {
    self += Self(littleEndian: value)
  }

  /// Appends `value`, most significant byte first.
  package mutating func append<T: FixedWidthInteger>(bigEndian value: T) {
    self += Self(bigEndian: value)
  }
}
