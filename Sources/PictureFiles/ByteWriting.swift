extension [UInt8] {
  /// Appends `value`, least significant byte first.
  package mutating func append<T: FixedWidthInteger>(littleEndian value: T) {
    for index in 0..<T.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: value >> T(truncatingIfNeeded: index * 8)))
    }
  }

  /// Appends `value`, most significant byte first.
  package mutating func append<T: FixedWidthInteger>(bigEndian value: T) {
    for index in (0..<T.bitWidth / 8).reversed() {
      append(UInt8(truncatingIfNeeded: value >> T(truncatingIfNeeded: index * 8)))
    }
  }
}
