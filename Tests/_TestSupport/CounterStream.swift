/// Pseudorandom numbers that every language reproduces to the bit: splitmix64 of a counter, with
/// one independent stream for each name.
public struct CounterStream: Sendable {
  /// Seed of all golden files, "FCRN" in ASCII.
  public static let defaultSeed: UInt64 = 0x4643_524E

  /// The start of the stream.
  public let state: UInt64

  public init(_ name: String, seed: UInt64 = defaultSeed) {
    state = Self.mix64(seed &+ Self.fnv1a64(name))
  }

  /// Element `i` of the stream. Its 24 bits are exactly representable as `Float`.
  @inline(__always)
  public subscript(i: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: Self.mix64(state &+ UInt64(i + 1) &* 0x9E37_79B9_7F4A_7C15) >> 40)
  }

  /// 64-bit FNV-1a of the name's UTF-8 bytes.
  public static func fnv1a64(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The output function of splitmix64 (Steele, Lea, Flood 2014).
  @inline(__always)
  public static func mix64(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
