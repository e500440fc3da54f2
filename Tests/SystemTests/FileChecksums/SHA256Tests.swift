import DepthBase
import Testing

/// SHA-256 in plain C and by the processor's instructions.
@Suite struct SHA256Tests {
  /// Whether the processor's instructions are used.
  static let ways = SHA256.hasInstructions ? [false, true] : [false]

  static func digest(_ bytes: [UInt8], _ usesInstructions: Bool) -> String {
    var digest = SHA256(usesInstructions: usesInstructions)
    digest.update(bytes)
    return digest.hexadecimal
  }

  @Test(
    "SHA-256 gives the published digests", arguments: ways,
    [
      ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
  func matchesPublishedExamples(
    usesInstructions: Bool, example: (text: String, times: Int, digest: String)
  ) {
    let bytes = Array(String(repeating: example.text, count: example.times).utf8)
    #expect(Self.digest(bytes, usesInstructions) == example.digest)
  }

  @Test("plain C and instructions give equal SHA-256 digests")
  func instructionsAndPiecesGiveTheSameDigest() {
    for count in Array(0...300) + [1000, 100_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) }
      let plain = Self.digest(bytes, false)
      for usesInstructions in Self.ways {
        #expect(Self.digest(bytes, usesInstructions) == plain)
        for length in [1, 17, 64, 65] where count <= 1000 {
          var pieces = SHA256(usesInstructions: usesInstructions)
          for start in stride(from: 0, to: count, by: length) {
            pieces.update(Array(bytes[start..<min(start + length, count)]))
          }
          #expect(pieces.hexadecimal == plain, "\(count) bytes in pieces of \(length)")
        }
      }
    }
  }
}
