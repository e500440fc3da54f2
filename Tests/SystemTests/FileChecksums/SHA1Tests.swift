import DepthBase
import Testing
import _TestSupport

/// The examples of FIPS 180, and git's names of files.
@Suite struct SHA1Tests {
  @Test(
    "SHA-1 gives the published digests",
    arguments: [
      ("", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
      ("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
        "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
      ),
      ("a", 1_000_000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
    ])
  func matchesPublishedExamples(text: String, times: Int, expected: String) {
    let bytes = Array(String(repeating: text, count: times).utf8)
    var whole = SHA1()
    whole.update(bytes)
    #expect(whole.hexadecimal == expected)
    var pieces = SHA1()
    for start in stride(from: 0, to: bytes.count, by: 1001) {
      pieces.update(Array(bytes[start..<min(start + 1001, bytes.count)]))
    }
    #expect(pieces.hexadecimal == expected)
  }

  /// Lengths around a block's end, and a length of several pieces.
  @Test(
    "the computed blob name equals git's",
    arguments: [0, 1, 46, 47, 48, 55, 56, 63, 64, 65, 128, 600_000])
  func namesAreThoseOfGit(count: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 >> 2) }
    let path = try folder.write(bytes, to: "file")
    let found = try RandomAccessFile(path: path).gitBlob()
    #expect(found.count == 40)
    if count == 0 { #expect(found == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391") }
    let expected = try ExternalProgram.run(
      "git", ["hash-object", "--no-filters", "file"], in: folder.path)
    #expect(found + "\n" == expected)
  }
}
