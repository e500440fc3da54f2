/// The SHA-1 digest of incrementally supplied bytes (FIPS 180-4, section 6.1).
///
/// Collisions can be constructed, but no practical attack finds another file for a given digest.
package struct SHA1: Sendable {
  private var state: [UInt32] = [
    0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0,
  ]
  private var blocks = MessageBlocks()

  package init() {}

  /// Appends bytes.
  package mutating func update(_ bytes: [UInt8]) {
    let whole = blocks.append(bytes)
    var w = [UInt32](repeating: 0, count: 80)
    for start in stride(from: 0, to: whole.count, by: MessageBlocks.size) {
      for t in 0..<16 {
        let i = start + 4 * t
        w[t] =
          UInt32(whole[i]) << 24 | UInt32(whole[i + 1]) << 16 | UInt32(whole[i + 2]) << 8
          | UInt32(whole[i + 3])
      }
      for t in 16..<80 {
        w[t] = Self.rotated(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1)
      }
      add(w)
    }
  }

  /// Processes an expanded message block.
  private mutating func add(_ w: [UInt32]) {
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for t in 0..<80 {
      let (f, k): (UInt32, UInt32) =
        switch t / 20 {
        case 0: (b & c ^ ~b & d, 0x5a82_7999)
        case 1: (b ^ c ^ d, 0x6ed9_eba1)
        case 2: (b & c ^ b & d ^ c & d, 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
      let next = Self.rotated(a, 5) &+ f &+ e &+ k &+ w[t]
      (a, b, c, d, e) = (next, a, Self.rotated(b, 30), c, d)
    }
    for (i, word) in [a, b, c, d, e].enumerated() { state[i] &+= word }
  }

  private static func rotated(_ x: UInt32, _ n: UInt32) -> UInt32 { x << n | x >> (32 - n) }

  /// The digest of all bytes so far, as 40 lower-case hexadecimal digits.
  package var hexadecimal: String {
    var copy = self
    copy.update(blocks.ending)
    return MessageBlocks.hexadecimal(copy.state)
  }
}

extension RandomAccessFile {
  /// Git's blob identifier of the content: the SHA-1 of `blob`, its length, a zero byte and all bytes.
  ///
  /// - Throws: The errors of ``bytes(_:_:)``.
  package func gitBlob() throws -> String {
    var digest = SHA1()
    digest.update(Array("blob \(size)\0".utf8))
    try forEachPiece(of: 0..<size, "the file") { digest.update(Array($0)) }
    return digest.hexadecimal
  }
}
