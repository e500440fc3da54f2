/// The binary formats of floating-point numbers in files, all little-endian.
package enum FloatFormat: Sendable {
  case float16, bfloat16, float32, float64

  /// Bytes per number.
  package var bytes: Int {
    switch self {
    case .float16, .bfloat16: 2
    case .float32: 4
    case .float64: 8
    }
  }

  /// Converts numbers to 32-bit floats; only 64-bit numbers are rounded.
  func widen(
    _ stored: UnsafeRawBufferPointer, into floats: UnsafeMutableBufferPointer<Float>
  ) {
    func each<Bits: FixedWidthInteger>(_ type: Bits.Type, _ value: (Bits) -> Float) {
      for index in floats.indices {
        let bits = unsafe stored.loadUnaligned(
          fromByteOffset: index * MemoryLayout<Bits>.size, as: type)
        unsafe floats[index] = value(Bits(littleEndian: bits))
      }
    }
    switch self {
    case .float16: each(UInt16.self) { Float(binary16: $0) }
    case .bfloat16: each(UInt16.self) { Float(bitPattern: UInt32($0) << 16) }
    case .float32: each(UInt32.self) { Float(bitPattern: $0) }
    case .float64: each(UInt64.self) { Float(Double(bitPattern: $0)) }
    }
  }
}

extension Float {
  /// The exact value of an IEEE 754 binary16 number. `Float16` is not available on every platform.
  ///
  /// The exponent bits are shifted into place and rebased by a multiplication with 2¹¹². The multiplication is
  /// also correct for subnormal numbers. The code has no branches, so loops over arrays are vectorized.
  @inlinable @inline(__always)
  package init(binary16 bits: UInt16) {
    let magnitude = UInt32(bits & 0x7fff) << 13
    let rebased = (Float(bitPattern: magnitude) * 0x1p112).bitPattern
    // In both formats, infinity and NaN have all exponent bits set.
    let special: UInt32 = magnitude >= 0x0f80_0000 ? 0x7f80_0000 : 0
    self.init(bitPattern: rebased | special | UInt32(bits & 0x8000) << 16)
  }
}
