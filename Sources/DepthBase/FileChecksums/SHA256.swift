import CDepthSIMD

/// The SHA-256 digest of incrementally supplied bytes (FIPS 180-4).
package struct SHA256: Sendable {
  /// Whether the processor has SHA-256 instructions and `DEPTH_ISA` does not select plain C.
  package static let hasInstructions =
    InstructionSet.environmentValue != "\(InstructionSet.baseline)" && ck_has_sha256()

  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  private var blocks = MessageBlocks()
  private let usesInstructions: Bool

  /// - Parameter usesInstructions: Whether to use SHA-256 instructions, which the processor must have.
  package init(usesInstructions: Bool = hasInstructions) {
    self.usesInstructions = usesInstructions
  }

  /// Appends bytes.
  package mutating func update(_ bytes: [UInt8]) {
    let whole = blocks.append(bytes)
    let isFast = usesInstructions
    unsafe state.withUnsafeMutableBufferPointer { state in
      unsafe whole.withUnsafeBufferPointer { whole in
        if let state = state.baseAddress, let bytes = whole.baseAddress {
          unsafe ck_sha256_blocks(state, bytes, whole.count / MessageBlocks.size, isFast)
        }
      }
    }
  }

  /// The digest of all bytes so far, as 64 lower-case hexadecimal digits.
  package var hexadecimal: String {
    var copy = self
    copy.update(blocks.ending)
    return MessageBlocks.hexadecimal(copy.state)
  }
}

extension RandomAccessFile {
  /// The SHA-256 of all bytes, in hexadecimal.
  ///
  /// - Throws: The errors of ``bytes(_:_:)``.
  package func sha256() throws -> String {
    var digest = SHA256()
    try forEachPiece(of: 0..<size, "the file") { digest.update(Array($0)) }
    return digest.hexadecimal
  }
}
