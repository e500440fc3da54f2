import Testing

@testable import DepthImages
@testable import PictureFiles

extension ExifBlock {
  /// The focal length for a small photo with proportions of 3:2.
  var equivalent: Double? { focalLength(width: 300, height: 200)?.equivalent }
}

@Suite struct ExifTests {
  /// The upright picture, and the stored picture of each orientation. Letters are pixels.
  /// Arrangements are copied from the standard's drawings, not computed.
  static let upright = ["ABC", "DEF"]
  static let stored: [(orientation: UInt16, rows: [String])] = [
    (1, ["ABC", "DEF"]),
    (2, ["CBA", "FED"]),
    (3, ["FED", "CBA"]),
    (4, ["DEF", "ABC"]),
    (5, ["AD", "BE", "CF"]),
    (6, ["CF", "BE", "AD"]),
    (7, ["FC", "EB", "DA"]),
    (8, ["DA", "EB", "FC"]),
  ]

  private func image(_ rows: [String], side: Int = 1) -> Image {
    let width = rows[0].utf8.count
    let pixels = (0..<rows.count * side).flatMap { y in
      (0..<width * side).flatMap { x -> [UInt8] in
        let letter = Array(rows[y / side].utf8)[x / side]
        return [letter, letter &* 37, letter &* 91]
      }
    }
    return Image(height: rows.count * side, width: width * side, pixels: pixels)
  }

  @Test("PNG of each Exif orientation is turned upright exactly", arguments: stored, [true, false])
  func everyOrientationInPNGIsExact(
    _ stored: (orientation: UInt16, rows: [String]), littleEndian: Bool
  ) throws {
    let exif = ExifFixture(isLittleEndian: littleEndian, orientation: stored.orientation).bytes
    let plain = try image(stored.rows).encoded(as: .png)
    // The signature has 8 bytes, and IHDR has 25.
    let bytes = plain[..<33] + PNGChunks.chunk("eXIf", exif) + plain[33...]
    let decoded = try Image(decoding: Array(bytes), name: "turned")
    #expect((decoded.height, decoded.width) == (2, 3))
    #expect(decoded.pixels == image(Self.upright).pixels)
  }

  /// Pictures are larger and smaller than the loop's tiles. The sides are not multiples of a tile.
  @Test("a JPEG of every Exif orientation is turned upright", arguments: stored, [16, 39])
  func everyOrientationInJPEG(
    _ stored: (orientation: UInt16, rows: [String]), side: Int
  ) throws {
    let plain = try image(stored.rows, side: side).encoded(as: .jpeg(quality: 100, chroma: .full))
    let bytes = ExifFixture(orientation: stored.orientation).inserted(into: plain)
    let decoded = try Image(decoding: bytes, name: "turned")
    let distance = TestPicture.distance(decoded, image(Self.upright, side: side))
    #expect(try #require(distance) <= 12)
  }

  @Test("focal length is read from Exif, and 0 is unknown") func focalLengthIsRead() {
    for littleEndian in [true, false] {
      let fixture = ExifFixture(isLittleEndian: littleEndian, focalLength: 28)
      #expect(ExifBlock(fixture.bytes)?.equivalent == 28)
    }
    #expect(ExifBlock(ExifFixture(focalLength: 0).bytes)?.equivalent == nil)
    #expect(ExifBlock(ExifFixture().bytes)?.equivalent == nil)
  }

  @Test("an undefined orientation is upright", arguments: [0, 9, 65_535] as [UInt16])
  func nonsenseOrientationIsUpright(orientation: UInt16) {
    #expect(ExifBlock(ExifFixture(orientation: orientation).bytes)?.orientation == .up)
  }

  /// Six integer types store the number. RATIONAL and SRATIONAL store an offset to a fraction.
  @Test(
    "orientation is read from every number type",
    arguments: [1, 3, 4, 6, 8, 9, 5, 10] as [UInt16], [true, false])
  func orientationOfEveryNumberTypeIsRead(type: UInt16, littleEndian: Bool) throws {
    var bytes = ExifFixture(isLittleEndian: littleEndian).bytes
    func ordered<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
      littleEndian ? [UInt8](littleEndian: value) : [UInt8](bigEndian: value)
    }
    let value: [UInt8] =
      switch type {
      case 1, 6: [6, 0, 0, 0]
      case 3, 8: ordered(UInt16(6)) + [0, 0]
      case 4, 9: ordered(UInt32(6))
      default: ordered(UInt32(bytes.count))
      }
    // The orientation is the first entry of the directory at offset 8.
    bytes.replaceSubrange(12..<22, with: ordered(type) + ordered(UInt32(1)) + value)
    if type == 5 || type == 10 { bytes += ordered(UInt32(12)) + ordered(UInt32(2)) }
    let block = try #require(ExifBlock(bytes))
    #expect(block.orientation == .right)
    #expect(ExifBlock(block.upright(width: 4, height: 3))?.orientation == .up)
  }

  /// Text is not a valid orientation. The written block states an upright picture.
  @Test("orientation stored as text is not copied") func unreadOrientationIsNotCopied() throws {
    var bytes = ExifFixture(orientation: 6).bytes
    bytes.replaceSubrange(12..<14, with: [2, 0])
    let block = try #require(ExifBlock(bytes))
    #expect(block.orientation == .up)
    #expect(Array(block.upright(width: 4, height: 3)[12..<20]) == [3, 0, 1, 0, 0, 0, 1, 0])
  }

  /// Programs disagree on which of two entries is valid, so both become upright.
  @Test("each orientation entry of a directory becomes upright")
  func everyOrientationOfADirectoryIsReset() throws {
    var bytes = ExifFixture(orientation: 6, focalLength: 28).bytes
    // The second entry, which links to the Exif directory, becomes another orientation.
    bytes.replaceSubrange(22..<34, with: [0x12, 1, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0])
    let block = try #require(ExifBlock(bytes))
    #expect(block.orientation == .right)
    let upright = block.upright(width: 4, height: 3)
    for entry in [10, 22] {
      #expect(Array(upright[entry..<entry + 10]) == [0x12, 1, 3, 0, 1, 0, 0, 0, 1, 0])
    }
  }

  @Test("a written Exif block states picture and size", arguments: [ImageFileFormat.jpeg(), .png])
  func writtenBlockIsUpright(format: ImageFileFormat) throws {
    let exif = ExifFixture(
      orientation: 6, focalLength: 35, pixelDimensions: (4000, 3000), thumbnailOffset: 8)
    let picture = TestPicture.smooth(
      height: 20, width: 10, metadata: ImageMetadata(exif: exif.bytes))
    let decoded = try Image(decoding: picture.encoded(as: format), name: "again")
    #expect((decoded.height, decoded.width) == (20, 10), "the picture was turned twice")
    #expect(decoded.metadata.focalLengthIn35mmFilm == 35)
    var upright = exif
    (upright.orientation, upright.pixelDimensions, upright.thumbnailOffset) = (1, (10, 20), 0)
    #expect(decoded.metadata.exif == upright.bytes)
  }

  @Test("a read Exif block is kept as embedded") func readBlockIsKeptAsEmbedded() throws {
    let exif = ExifFixture(orientation: 8, focalLength: 50)
    let plain = try TestPicture.smooth(height: 8, width: 8).encoded(as: .jpeg())
    let metadata = try Image(decoding: exif.inserted(into: plain), name: "photo").metadata
    #expect(metadata.exif == exif.bytes)
    #expect(metadata.focalLengthIn35mmFilm == 50)
  }

  /// Profiles longer than one segment are split and joined. A profile of another color space would
  /// not match the pixels.
  @Test(
    "an RGB profile of any length is read back",
    arguments: [128, 65_519, 65_520, 200_000])
  func profileSurvivesInSegments(count: Int) throws {
    var profile = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
    profile.replaceSubrange(16..<20, with: Array("RGB ".utf8))
    let picture = TestPicture.smooth(
      height: 8, width: 8, metadata: ImageMetadata(iccProfile: profile))
    let bytes = try picture.encoded(as: .jpeg())
    #expect(try Image(decoding: bytes, name: "photo").metadata.iccProfile == profile)
    profile.replaceSubrange(16..<20, with: Array("CMYK".utf8))
    let inks = TestPicture.smooth(
      height: 8, width: 8, metadata: ImageMetadata(iccProfile: profile))
    let decoded = try Image(decoding: inks.encoded(as: .jpeg()), name: "photo")
    #expect(decoded.metadata.iccProfile == nil)
  }

  /// Random bytes follow a valid start, or replace some bytes of a valid block.
  @Test("a hostile Exif block never crashes the reader") func hostileBlocksNeitherCrashNorHang() {
    var random = SplitMix64(state: 4)
    let valid = ExifFixture(orientation: 6, focalLength: 28, pixelDimensions: (1, 1)).bytes
    for round in 0..<20_000 {
      var bytes = valid
      if round % 2 == 0 {
        bytes = Array(valid.prefix(8)) + (0..<60).map { _ in .random(in: 0...255, using: &random) }
      }
      for _ in 0..<4 {
        bytes[Int.random(in: 2..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      bytes = Array(bytes.prefix(.random(in: 0...bytes.count, using: &random)))
      guard let block = ExifBlock(bytes) else { continue }
      #expect(Orientation.allCases.contains(block.orientation))
      #expect((block.equivalent ?? 1) > 0)
      #expect(block.upright(width: 70_000, height: 5).count == bytes.count)
    }
  }

  @Test("an Exif directory that points to itself ends") func offsetsThatPointAtThemselvesEnd() {
    // The Exif IFD is IFD 0, with the largest count.
    let bytes: [UInt8] = [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0xFF, 0xFF, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 8,
    ]
    #expect(ExifBlock(bytes)?.equivalent == nil)
    #expect(ExifBlock(bytes)?.orientation == .up)
  }
}
