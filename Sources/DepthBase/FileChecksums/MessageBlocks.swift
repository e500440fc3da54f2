/// Splits an incrementally supplied message into the 64-byte blocks of SHA-1 and SHA-256, and pads it.
///
/// > Source: FIPS 180-4, sections 5.1.1 and 5.2.1.
struct MessageBlocks: Sendable {
  static let size = 64

  /// Bytes of an incomplete block.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  /// Appends bytes.
  ///
  /// - Returns: The blocks that are complete afterwards.
  mutating func append(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    count += UInt64(bytes.count)
    let all = rest.isEmpty ? bytes : rest + bytes
    let whole = all.count / Self.size * Self.size
    rest = Array(all[whole...])
    return all[..<whole]
  }

  /// The padding of the message: a one bit, zeros, and the message's length in bits.
  var ending: [UInt8] {
    let bits = count * 8
    return [0x80] + [UInt8](repeating: 0, count: (119 - Int(count % 64)) % 64)
      + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
  }

  /// Words as lower-case hexadecimal digits.
  static func hexadecimal(_ words: [UInt32]) -> String {
    words.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }
}
