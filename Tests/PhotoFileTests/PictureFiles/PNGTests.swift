import DepthErrors
import Testing

@testable import DepthBase
@testable import DepthImages
@testable import PictureFiles

@Suite struct PNGTests {
  @Test("a PNG is read back exactly", arguments: [(1, 1), (1, 9), (7, 1), (33, 47)])
  func roundTripIsExact(size: (height: Int, width: Int)) throws {
    let picture = TestPicture.noise(height: size.height, width: size.width, seed: 5)
    let decoded = try Image(decoding: picture.encoded(as: .png), name: "photo")
    #expect(decoded.pixels == picture.pixels)
    #expect((decoded.height, decoded.width) == (size.height, size.width))
  }

  private func pixels(_ fixture: PNGFixture) throws -> [UInt8] {
    try Image(decoding: fixture.bytes, name: "fixture").pixels
  }

  @Test("8-bit RGB is read as stored") func eightBitColor() throws {
    let rows: [UInt8] = [1, 2, 3, 4, 5, 6, 255, 254, 253, 0, 127, 128]
    #expect(try pixels(PNGFixture(width: 2, height: 2, rows: rows)) == rows)
  }

  /// 16-bit samples without a gAMA chunk are sRGB. 257 steps are one 8-bit step.
  @Test("16-bit RGB is divided by 257") func sixteenBitColor() throws {
    let rows: [UInt8] = [0, 0, 0x80, 0x80, 0xFF, 0xFF, 0x40, 0x40, 0x01, 0x01, 0x12, 0x12]
    let fixture = PNGFixture(width: 2, height: 1, bitDepth: 16, rows: rows)
    #expect(try pixels(fixture) == [0, 0x80, 0xFF, 0x40, 0x01, 0x12])
  }

  @Test("16-bit gray is divided by 257") func sixteenBitGrey() throws {
    let rows: [UInt8] = [0, 0, 0x7F, 0xFF, 0xFF, 0xFF]
    let fixture = PNGFixture(width: 3, height: 1, bitDepth: 16, colorType: 0, rows: rows)
    #expect(try pixels(fixture) == [0, 0, 0, 127, 127, 127, 255, 255, 255])
  }

  @Test(
    "gray of 1, 2, 4 and 8 bits is stretched to 0…255",
    arguments: [
      (1, [0b1011_0000], [255, 0, 255, 255]), (2, [0b00_01_10_11], [0, 85, 170, 255]),
      (4, [0x0F, 0x5A], [0, 255, 85, 170]), (8, [0, 9, 200, 255], [0, 9, 200, 255]),
    ] as [(UInt8, [UInt8], [UInt8])])
  func greyOfEveryDepth(bitDepth: UInt8, row: [UInt8], expected: [UInt8]) throws {
    let fixture = PNGFixture(width: 4, height: 1, bitDepth: bitDepth, colorType: 0, rows: row)
    #expect(try pixels(fixture) == expected.flatMap { [$0, $0, $0] })
  }

  @Test("palette indices become their colors") func palette() throws {
    let colors: [UInt8] = [10, 20, 30, 200, 100, 50, 0, 255, 0]
    let fixture = PNGFixture(
      width: 5, height: 1, bitDepth: 2, colorType: 3, rows: [0b00_01_10_01, 0b00_000000],
      extra: PNGChunks.chunk("PLTE", colors))
    #expect(
      try pixels(fixture)
        == [0, 1, 2, 1, 0].flatMap { Array(colors[$0 * 3..<$0 * 3 + 3]) })
  }

  /// Browsers also mix the codes instead of light. Colors of fully transparent pixels are unused.
  @Test("transparent pixels are mixed with white by their codes")
  func transparencyLiesOverWhite() throws {
    let rows: [UInt8] = [10, 20, 30, 255, 10, 20, 30, 0, 0, 0, 0, 128]
    let result = try pixels(PNGFixture(width: 3, height: 1, colorType: 6, rows: rows))
    #expect(Array(result[..<6]) == [10, 20, 30, 255, 255, 255])
    #expect(result[6...] == [127, 127, 127])
    let deep = PNGFixture(
      width: 2, height: 1, bitDepth: 16, colorType: 6,
      rows: [100, 0, 50, 0, 200, 0, 51, 51, 100, 0, 50, 0, 200, 0, 255, 255])
    for isInterlaced in [false, true] {
      var deep = deep
      deep.isInterlaced = isInterlaced
      let mixed = try pixels(deep)
      for (found, wanted) in zip(mixed, [224, 214, 244, 100, 50, 200]) {
        #expect(abs(Int(found) - wanted) <= 1)
      }
    }
    // Full opacity changes nothing.
    let deepRows = (0..<256).flatMap { number -> [UInt8] in
      [UInt8(number), 77, UInt8(255 - number), 9, 130, UInt8(number), 255, 255]
    }
    let opaque = PNGFixture(width: 256, height: 1, bitDepth: 16, colorType: 6, rows: deepRows)
    #expect(
      try pixels(opaque)
        == PNGPixels.decode(opaque.bytes, as: .rgb8, of: UInt8.self, file: "a"))
    let gray = PNGFixture(width: 2, height: 1, colorType: 4, rows: [70, 255, 70, 0])
    #expect(try pixels(gray) == [70, 70, 70, 255, 255, 255])
    let keyed = PNGFixture(
      width: 2, height: 1, rows: [9, 9, 9, 8, 8, 8],
      extra: PNGChunks.chunk("tRNS", [0, 9, 0, 9, 0, 9]))
    #expect(try pixels(keyed) == [255, 255, 255, 8, 8, 8])
  }

  private func gamma(_ value: UInt32) -> [UInt8] {
    var data: [UInt8] = []
    data.append(bigEndian: value)
    return PNGChunks.chunk("gAMA", data)
  }

  @Test("gAMA of sRGB changes nothing, gAMA 1 is converted")
  func gammaOfSRGBChangesNothingAndLinearLightIsEncoded() throws {
    let rows: [UInt8] = [0, 128, 255]
    var fixture = PNGFixture(width: 1, height: 1, rows: rows, extra: gamma(45_455))
    #expect(try pixels(fixture) == rows)
    fixture.extra = gamma(100_000)
    // The sRGB curve gives 188. libpng's exponent of 2.2 for 8 bits would give 186.
    let encoded = try pixels(fixture)
    #expect([encoded[0], encoded[2]] == [0, 255] && (186...188).contains(encoded[1]))
  }

  @Test("a PNG of absurd gAMA is read", arguments: [0, 1, 0xFFFF_FFFF, 0x7FFF_FFFF] as [UInt32])
  func absurdGammaIsSurvived(value: UInt32) throws {
    let fixture = PNGFixture(width: 1, height: 1, rows: [0, 128, 255], extra: gamma(value))
    #expect(try pixels(fixture).count == 3)
  }

  @Test("an error says that a truncated PNG ends early")
  func everyTruncationIsAnError() throws {
    let bytes = try TestPicture.noise(height: 20, width: 20, seed: 6).encoded(as: .png)
    // The last 12 bytes are IEND. The 4 bytes before IEND end the checksum of all pixels.
    for length in truncations(of: bytes.count - 12 - 16) {
      #expect(throws: DepthError.self, "\(length) of \(bytes.count) bytes") {
        try Image(decoding: Array(bytes[..<length]), name: "cut.png")
      }
    }
    let error = #expect(throws: DepthError.self) {
      try Image(decoding: Array(bytes[..<(bytes.count / 2)]), name: "cut.png")
    }
    #expect(error?.description == "cut.png: damaged PNG: ends before its last pixel")
  }

  /// Files with stored pixels, a palette or a text after the pixels are also complete.
  @Test("a PNG without the last 1 to 12 bytes is complete", arguments: 1...12)
  func missingEndIsTolerated(missing: Int) throws {
    let picture = TestPicture.noise(height: 20, width: 20, seed: 6)
    let written = try picture.encoded(as: .png)
    #expect(try Image(decoding: Array(written.dropLast(missing)), name: "cut.png") == picture)
    // Stored pixels, a palette, and a text after the pixels.
    let plain = PNGFixture(width: 2, height: 1, rows: [1, 2, 3, 4, 5, 6])
    let withText = plain.bytes.dropLast(12) + PNGChunks.text("Author", "somebody")
    let palette = PNGFixture(
      width: 1, height: 1, bitDepth: 8, colorType: 3, rows: [0],
      extra: PNGChunks.chunk("PLTE", [7, 8, 9]))
    #expect(try Image(decoding: Array(withText.dropLast(missing - 1))).pixels == plain.rows)
    #expect(try Image(decoding: Array(palette.bytes.dropLast(missing))).pixels == [7, 8, 9])
    let map = DepthMap(height: 1, width: 2, unit: .metres, values: [1, 2])
    #expect(try DepthMap(decoding: Array(map.encoded(as: .png).dropLast(missing))) == map)
  }

  @Test("an error keeps the capitals of a chunk's name") func chunksKeepTheirNamesInErrors() {
    let fixture = PNGFixture(
      width: 1, height: 1, rows: [1, 2, 3], extra: PNGChunks.chunk("ABCD", [1]))
    let error = #expect(throws: DepthError.self) {
      try Image(decoding: fixture.bytes, name: "a.png")
    }
    #expect(
      error?.description.hasPrefix("a.png: damaged PNG: ABCD: ") == true, "\(error as Any)")
  }

  /// The wrong checksum is named before effects such as impossible sizes and codes.
  @Test(
    "a wrong checksum before IEND names the chunk",
    arguments: [("IHDR", 4), ("IHDR", 13), ("IDAT", 20), ("IDAT", -1), ("IEND", 0)])
  func aWrongCheckSumNamesItsChunk(chunk: String, offset: Int) throws {
    let noise = TestPicture.noise(height: 20, width: 20, seed: 6)
    var bytes = try noise.encoded(as: .png)
    let place = try #require(try PNGChunks(bytes, file: "a").chunks.first { $0.type == chunk })
    // -1 changes the checksum.
    bytes[offset < 0 ? place.data.upperBound : place.data.lowerBound + offset] ^= 1
    guard chunk != "IEND" else {
      // No data is needed after the last pixel.
      #expect(try Image(decoding: bytes) == noise)
      return
    }
    let error = #expect(throws: DepthError.self) { try Image(decoding: bytes, name: "a.png") }
    #expect(
      error?.description
        == "a.png: damaged PNG: the checksum (CRC) of its chunk \(chunk) at byte \(place.data.lowerBound - 8) is wrong; "
        + "copy the file again")
  }

  /// The chunks are valid, but have too few pixels.
  @Test("a PNG with fewer rows than its header says is an error") func missingRowsAreAnError() {
    var fixture = PNGFixture(width: 2, height: 3, rows: [UInt8](repeating: 7, count: 18))
    let rows = fixture.bytes
    fixture.height = 4
    let bytes = PNGChunks.signature + fixture.header + rows[33...]
    #expect(throws: DepthError.self) { try Image(decoding: Array(bytes), name: "short") }
  }

  @Test("a damaged PNG is an error or a picture of its size") func damageNeverCrashes() throws {
    let exif = ImageMetadata(exif: ExifFixture(orientation: 6).bytes)
    let picture = TestPicture.smooth(height: 12, width: 9, metadata: exif)
    try expectDamageIsSurvived(
      picture.encoded(as: .png), from: 8, changes: 1...6, runs: 5_000, seed: 7)
  }

  @Test("a PNG without rows or columns is refused", arguments: [(0, 7), (7, 0)])
  func emptySidesAreRefused(size: (height: Int, width: Int)) {
    let fixture = PNGFixture(width: size.width, height: size.height, rows: [])
    let expected = DepthError.noPixels(
      file: "empty.png", width: size.width, height: size.height)
    #expect(throws: expected) { try Image(decoding: fixture.bytes, name: "empty.png") }
    #expect(
      expected.description
        == "empty.png: is \(size.width)×\(size.height) pixels, expected at least 1×1")
  }

  @Test(
    "a PNG with more stated pixels than its bytes hold is refused",
    arguments: [(30_000, 30_000), (16_000, 16_000), (4_294_967_295, 4_294_967_295)])
  func promisesThatTheFileCannotKeepAreRefused(size: (height: Int, width: Int)) throws {
    var fixture = PNGFixture(width: 1, height: 1, rows: [1, 2, 3])
    let rest = fixture.bytes[33...]
    (fixture.width, fixture.height) = (size.width, size.height)
    let bytes = PNGChunks.signature + fixture.header + rest
    let error = #expect(throws: DepthError.self) { try Image(decoding: bytes, name: "bomb.png") }
    // Each error is found before memory for pixels is requested.
    let sentence = try #require(error).description
    let pixels = "\(size.width)×\(size.height) pixels"
    #expect(
      sentence.contains("is \(pixels)")
        || sentence.contains("\(bytes.count) bytes cannot hold \(pixels)"))
  }

  @Test("PNG text is Latin-1") func textRoundTrip() throws {
    let fixture = PNGFixture(
      width: 1, height: 1, rows: [0, 0, 0],
      extra: PNGChunks.text("Software", "gr\u{FC}n \u{1F600}") + PNGChunks.text("Software", "late"))
    #expect(try PNGChunks(fixture.bytes, file: "").texts == ["Software": "gr\u{FC}n ?"])
  }

  @Test("PNG text with an empty key or a wrong checksum is ignored")
  func hostileTextNeitherCrashesNorIsBelieved() throws {
    var random = SplitMix64(state: 8)
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...40, using: &random)
      let data = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      var fixture = PNGFixture(width: 1, height: 1, rows: [0, 0, 0])
      fixture.extra = PNGChunks.chunk("tEXt", data)
      let texts = try PNGChunks(fixture.bytes, file: "").texts
      #expect(texts.keys.allSatisfy { !$0.isEmpty })
      // A flipped bit makes the checksum wrong.
      fixture.extra[fixture.extra.count - 1] ^= 1
      #expect(try PNGChunks(fixture.bytes, file: "").texts.isEmpty)
    }
  }
}
