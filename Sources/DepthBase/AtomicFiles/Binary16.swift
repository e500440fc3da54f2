extension Float {
  /// The number with these bits in IEEE 754 binary16, by hand because `Float16` does not exist on
  /// every platform; exact.
  ///
  /// The exponent's bits are shifted into place and rebased by a multiplication with 2¹¹², which is
  /// also correct for subnormal numbers. There are no branches, so that loops over arrays are
  /// vectorized.
  @inlinable @inline(__always)
  package init(binary16 bits: UInt16) {
    let magnitude = UInt32(bits & 0x7fff) << 13
    let rebased = (Float(bitPattern: magnitude) * 0x1p112).bitPattern
    // All exponent bits set mean infinity or not a number in either format.
    let special: UInt32 = magnitude >= 0x0f80_0000 ? 0x7f80_0000 : 0
    self.init(bitPattern: rebased | special | UInt32(bits & 0x8000) << 16)
  }
}
