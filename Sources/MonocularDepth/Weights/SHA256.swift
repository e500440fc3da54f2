import CDepthSIMD
package import DepthBase

/// The SHA-256 digest of bytes that arrive in pieces (FIPS 180-4).
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  /// Bytes that do not yet fill a block.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  package init() {}

  /// Appends bytes.
  package mutating func update(_ bytes: [UInt8]) {
    count += UInt64(bytes.count)
    let all = rest.isEmpty ? bytes : rest + bytes
    let whole = all.count / 64
    unsafe state.withUnsafeMutableBufferPointer { state in
      unsafe all.withUnsafeBufferPointer { all in
        if let state = state.baseAddress, let all = all.baseAddress, whole > 0 {
          unsafe ck_sha256_blocks(state, all, whole)
        }
      }
    }
    rest = Array(all[(whole * 64)...])
  }

  /// The digest of all bytes so far, 64 lower-case hexadecimal digits.
  package var hexadecimal: String {
    var copy = self
    let bits = count * 8
    copy.update([0x80] + [UInt8](repeating: 0, count: (119 - Int(count % 64)) % 64))
    copy.update((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
    return copy.state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }
}

extension RandomAccessFile {
  /// The SHA-256 of all bytes, in hexadecimal.
  ///
  /// - Throws: `DepthError`, as ``bytes(_:_:)``.
  package func sha256() throws -> String {
    var digest = SHA256()
    try forEachPiece(of: 0..<size, "the file") { digest.update(Array($0)) }
    return digest.hexadecimal
  }
}
