import MonocularDepth
import Testing

/// The examples of FIPS 180-4 and lengths around a block's end.
@Suite struct SHA256Tests {
  static func digest(_ bytes: [UInt8]) -> String {
    var digest = SHA256()
    digest.update(bytes)
    return digest.hexadecimal
  }

  @Test func matchesPublishedExamples() {
    #expect(
      Self.digest([])
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      Self.digest(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      Self.digest(
        Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      Self.digest([UInt8](repeating: 0x61, count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test(arguments: [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000])
  func piecesGiveTheSameDigest(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) }
    let whole = Self.digest(bytes)
    var pieces = SHA256()
    for start in stride(from: 0, to: count, by: 17) {
      pieces.update(Array(bytes[start..<min(start + 17, count)]))
    }
    #expect(pieces.hexadecimal == whole)
  }
}
