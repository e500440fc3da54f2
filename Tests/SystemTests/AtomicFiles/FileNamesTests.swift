import Testing

@testable import DepthBase

/// File names of any bytes, as strings.
@Suite struct FileNamesTests {
  @Test(
    "every file name is restored from its string",
    arguments: [
      (Array("photo.jpg".utf8), "photo.jpg"), (Array("é😀".utf8), "é😀"),
      (Array("caf".utf8) + [0xE9] + Array(".jpg".utf8), "caf\\xE9.jpg"),
      // Invalid UTF-8: cut off, too long, a surrogate, beyond Unicode.
      ([0xE2, 0x82], "\\xE2\\x82"), ([0xC0, 0x80], "\\xC0\\x80"),
      ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"), ([0xF5, 0x80, 0x80, 0x80], "\\xF5\\x80\\x80\\x80"),
      // U+10FFE9 encodes the byte E9, so each byte of this character is encoded itself.
      (Array("\u{10FFE9}".utf8), "\\xF4\\x8F\\xBF\\xA9"), ([0xFF] + Array("ü".utf8), "\\xFFü"),
    ] as [([UInt8], String)])
  func everyNameHasOneString(bytes: [UInt8], spelledOut: String) {
    let name = String(fileName: bytes)
    #expect(name.fileNameBytes == bytes)
    #expect(name.spelledOut == spelledOut)
    #expect(name.isUTF8Name == !spelledOut.contains("\\x"))
    #expect(name.systemPath == bytes.map { CChar(bitPattern: $0) } + [0])
  }

  @Test("file names of random bytes are restored") func randomBytesComeBack() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let bytes = (0..<8).map { _ in
        UInt8.random(in: Bool.random() ? 0x80...0xFF : 1...0xFF, using: &random)
      }
      #expect(String(fileName: bytes).fileNameBytes == bytes, "\(bytes)")
    }
  }
}
