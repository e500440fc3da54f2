import Testing

@testable import DepthImages
@testable import PictureFiles

/// Exif in every place of a PNG where programs write it.
@Suite struct PNGExifTests {
  private static let exif = ExifFixture(orientation: 6, focalLength: 26)
  private static let marked = Array("Exif\0\0".utf8) + exif.bytes

  /// The text of a profile with 36 bytes per line, as exiv2 and ImageMagick write it.
  private static func text(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let digits = bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count < 2 ? "0" + digits : digits
    }
    let lines = stride(from: 0, to: digits.count, by: 36)
      .map { digits[$0..<min($0 + 36, digits.count)].joined() }
    let count = String(bytes.count)
    let length = String(repeating: " ", count: 8 - count.count) + count
    return Array("\n\(name)\n\(length)\n\(lines.joined(separator: "\n"))\n".utf8)
  }

  private static func chunk(
    _ type: String, _ profile: String, _ name: String, _ bytes: [UInt8],
    compressed: Bool = false
  ) throws -> [UInt8] {
    let text = text(name, bytes)
    let keyword = Array("Raw profile type \(profile)".utf8) + [0]
    let body = compressed ? try Deflate.compressed(text) : text
    return switch type {
    case "zTXt": PNGChunks.chunk(type, keyword + [0] + body)
    case "iTXt": PNGChunks.chunk(type, keyword + [compressed ? 1 : 0, 0, 0, 0] + body)
    default: PNGChunks.chunk(type, keyword + body)
    }
  }

  private func photo(_ extra: [UInt8]) throws -> Image {
    let fixture = PNGFixture(
      width: 3, height: 2, rows: (0..<18).map { UInt8($0 * 9) }, extra: extra)
    return try Image(decoding: fixture.bytes, name: "photo.png")
  }

  private static func chunks() throws -> [(String, [UInt8])] {
    [
      ("eXIf", PNGChunks.chunk("eXIf", exif.bytes)),
      ("eXIf, marked", PNGChunks.chunk("eXIf", marked)),
      ("exiv2", try chunk("zTXt", "exif", "exif", marked, compressed: true)),
      ("tEXt", try chunk("tEXt", "exif", "exif", marked)),
      ("unmarked", try chunk("tEXt", "exif", "exif", exif.bytes)),
      ("iTXt", try chunk("iTXt", "exif", "exif", marked)),
      ("iTXt, packed", try chunk("iTXt", "exif", "exif", marked, compressed: true)),
      ("APP1", try chunk("zTXt", "APP1", "APP1", marked, compressed: true)),
      (
        "APP1 after XMP",
        try chunk("tEXt", "APP1", "APP1", Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
          + chunk("tEXt", "APP1", "APP1", marked)
      ),
    ]
  }

  @Test("a PNG is turned by Exif in any chunk") func photoIsTurnedWhereverTheBlockIs() throws {
    let turned = try photo(PNGChunks.chunk("eXIf", Self.exif.bytes))
    #expect((turned.height, turned.width) == (3, 2))
    for (name, chunk) in try Self.chunks() {
      let found = try photo(chunk)
      #expect((found.height, found.width) == (3, 2), "\(name)")
      #expect(found.pixels == turned.pixels, "\(name)")
      #expect(found.metadata.exif == Self.exif.bytes, "\(name)")
      #expect(found.metadata.focalLengthIn35mmFilm == 26, "\(name)")
    }
  }

  @Test("a PNG's header gives the upright size for Exif in any chunk")
  func headerKnowsTheSides() throws {
    for (name, chunk) in try Self.chunks() {
      let fixture = PNGFixture(
        width: 3, height: 2, rows: [UInt8](repeating: 0, count: 18), extra: chunk)
      let file = try PhotoFile(decoding: fixture.bytes, name: name)
      #expect(file.uprightSize == (3, 2), "\(name)")
    }
  }

  @Test("eXIf takes precedence over Exif text") func chunkCountsBeforeTexts() throws {
    let other = Array("Exif\0\0".utf8) + ExifFixture(orientation: 3, focalLength: 50).bytes
    let text = try Self.chunk("tEXt", "exif", "exif", other)
    let found = try photo(text + PNGChunks.chunk("eXIf", Self.exif.bytes))
    #expect(found.metadata.focalLengthIn35mmFilm == 26 && found.height == 3)
  }

  /// Texts have too few digits, wrong letters, another profile, or unpack to 40 MB.
  @Test("damaged Exif text in a PNG is ignored") func damageIsNoExif() throws {
    let good = Self.text("exif", Self.marked)
    let keyword = Array("Raw profile type exif".utf8) + [0]
    let bomb = try Deflate.compressed(good + [UInt8](repeating: 0x20, count: 40 << 20))
    let chunks = [
      PNGChunks.chunk("tEXt", keyword + good.dropLast(30)),
      PNGChunks.chunk("tEXt", keyword + good.map { $0 == 0x36 ? 0x7A : $0 }),
      PNGChunks.chunk("tEXt", keyword), PNGChunks.chunk("zTXt", keyword + [0] + good),
      PNGChunks.chunk("iTXt", keyword + [0, 0]), PNGChunks.chunk("zTXt", keyword + [0] + bomb),
      try Self.chunk("tEXt", "iptc", "iptc", Self.marked),
    ]
    for (index, chunk) in chunks.enumerated() {
      let found = try photo(chunk)
      #expect(found.metadata.exif == nil && found.height == 2, "\(index)")
    }
  }
}
