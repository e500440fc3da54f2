/// Reads bits from untrusted bytes, most significant bit first.
struct BitReader {
  /// The bytes have ended, or a number is longer than the format allows.
  struct End: Error {}

  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// - Parameter count: At most 32 bits.
  mutating func next(_ count: Int) throws -> Int {
    guard count <= 8 * bytes.count - offset else { throw End() }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[offset >> 3] >> UInt8(7 - offset & 7) & 1)
      offset += 1
    }
    return value
  }

  mutating func flag() throws -> Bool { try next(1) == 1 }

  mutating func skip(_ count: Int) throws {
    guard count <= 8 * bytes.count - offset else { throw End() }
    offset += count
  }

  /// An Exp-Golomb number, encoded as z zeros followed by the z + 1 bits of the number plus 1.
  ///
  /// > Source: ITU-T H.265, section 9.2, `ue(v)`.
  mutating func exponential() throws -> Int {
    var zeros = 0
    while try !flag() {
      zeros += 1
      guard zeros <= 32 else { throw End() }
    }
    return try 1 << zeros - 1 + next(zeros)
  }
}
