import DepthBase
import DepthErrors
import Testing
import _TestSupport

@testable import DepthImages
@testable import PictureFiles

/// Files with very long lists are refused early, or read without a list in memory.
@Suite struct LongListTests {
  private let box = HEIFFixture.box

  private func long(_ value: Int) -> [UInt8] { [UInt8](bigEndian: UInt32(value)) }

  private func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * count)
    for _ in 0..<count { result += bytes }
    return result
  }

  private func refusal(of bytes: [UInt8]) -> String? {
    let error = #expect(throws: DepthError.self) { try PhotoFile(decoding: bytes, name: "a") }
    #expect(error?.code == .damaged)
    return error?.message
  }

  /// libheif keeps a hundred bytes for each box and each entry.
  @Test("a HEIC file above the limit of boxes is refused") func boxesAreCounted() {
    let size = HEIFFixture.extents(64, 64)
    let usual = HEIFFixture.boxes([size])
    let most = ISOBoxes.largestBoxCount
    let empty = box("free", [])
    let inside = HEIFFixture.boxes([size], more: repeated(empty, most))
    let references = HEIFFixture.boxes(
      [size], more: box("iref", [0, 0, 0, 0] + repeated(box("dimg", [0, 2, 0, 0]), most)))
    let items = HEIFFixture.boxes(
      [size],
      more: box("iinf", [1, 0, 0, 0] + long(most) + repeated(HEIFFixture.item(9, "hvc1"), most)))
    for bytes in [
      usual + repeated(empty, most), inside, HEIFFixture.boxes([size] + [repeated(empty, most)]),
      references, items,
    ] {
      #expect(refusal(of: bytes)?.contains("more than \(most) boxes") == true)
    }
    // A file with the allowed number of boxes is read.
    #expect(throws: Never.self) {
      try PhotoFile(decoding: usual + repeated(empty, most - 20), name: "a")
    }
  }

  @Test("a HEIC box with too many entries is refused") func entriesOfBoxesAreCounted() {
    let size = HEIFFixture.extents(64, 64)
    let most = ISOBoxes.largestEntryCount
    let association = [0, 7, 0xFF] + [UInt8](repeating: 1, count: 255)
    let associations = box(
      "ipma", [0, 0, 0, 0] + long(most) + repeated(association, most / 255))
    let targets = box(
      "iref",
      [0, 0, 0, 0]
        + repeated(box("dimg", [0, 7, 0xFF, 0xFF] + repeated([0, 7], 65_535)), most / 65_535 + 1))
    let sets = box(
      "hvcC",
      [UInt8](repeating: 0, count: 22) + [4]
        + repeated([33, 0xFF, 0xFF] + repeated([0, 0], 65_535), 4))
    let places = box("iloc", [0, 0, 0, 0, 0, 0, 0, 1] + repeated([0, 7, 0, 0, 0, 0], most))
    for more in [associations, targets, sets, places] {
      let message = refusal(of: HEIFFixture.boxes([size], more: more))
      #expect(message?.contains("more than \(most) entries") == true, "\(message ?? "")")
    }
  }

  /// libheif copies the data of each metadata item.
  @Test("HEIC metadata longer than the file is refused") func sharedMetadataIsRefused() {
    let items = (1...40).map { HEIFFixture.item($0, "mime") }.joined()
    // Offsets and lengths have four bytes. Each item extends from the beginning to the end.
    let places = (1...40).flatMap { (item: UInt8) -> [UInt8] in
      [0, item, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    }
    let bytes = HEIFFixture.changed(
      HEIFFixture.boxes(
        [HEIFFixture.extents(64, 64)],
        more: box("iloc", [0, 0, 0, 0, 0x44, 0, 0, 40] + places))
    ) { type, content in
      type == "iinf" ? [0, 0, 0, 0, 0, 41] + content.dropFirst(6) + items : content
    }
    #expect(refusal(of: bytes)?.contains("metadata is longer") == true)
  }

  @Test("a JPEG above the limit of segments is refused") func segmentsOfAJPEGAreCounted() throws {
    let photo = try TestPhoto.image(height: 64, width: 64).encoded(as: .jpeg())
    func padded(_ count: Int) -> [UInt8] {
      photo[..<2] + repeated([0xFF, 0xEB, 0, 2], count) + photo[2...]
    }
    let most = JPEGSegments.largestCount
    #expect(refusal(of: padded(most))?.contains("more than \(most) segments") == true)
    #expect(
      try Image(decoding: padded(most - 20), name: "a") == Image(decoding: photo, name: "a"))
  }

  @Test("a WebP of more than 65536 chunks is refused") func chunksOfAWebPAreCounted() {
    let picture = WebPFixture.chunk(height: 64, width: 64) { y, _ in y < 32 }
    let head = WebPFixture.extended(flags: 0, height: 64, width: 64)
    let bytes = WebPFixture.file(head + repeated(WebPFixture.chunk("PADS", []), 1 << 16) + picture)
    #expect(refusal(of: bytes)?.contains("more than 65536 chunks") == true)
  }

  /// PNG chunks have no limit, since millions of short pixel chunks are valid.
  @Test("60000 extra chunks of a PNG change nothing") func chunksOfAPNGAreNotListed() throws {
    let rows = (0..<64 * 64 * 3).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let plain = PNGFixture(width: 64, height: 64, rows: rows)
    var padded = plain
    padded.extra =
      repeated(PNGChunks.chunk("tEXt", Array("Comment\0x".utf8)), 20_000)
      + repeated(PNGChunks.chunk("paDs", []), 20_000)
    let empty = repeated(PNGChunks.chunk("IDAT", []), 20_000)
    let bytes = Array(padded.bytes.dropLast(12)) + empty + padded.bytes.suffix(12)
    let file = try PhotoFile(decoding: bytes, name: "a.png")
    #expect(try file.image().pixels == Image(decoding: plain.bytes, name: "a.png").pixels)
    let chunks = try PNGChunks(bytes, file: "")
    #expect(chunks.chunks.reduce(0) { count, _ in count + 1 } == 60_003 && chunks.texts.isEmpty)
  }

  /// Long lists are left at once. A usual photo is finished, as documented for Ctrl-C.
  @Test("a cancelled call ends in a long list") func longWalksEndWhenTheCallerGivesUp() throws {
    let photo = TestPhoto.image(height: 64, width: 64)
    let (png, jpeg) = (try photo.encoded(as: .png), try photo.encoded(as: .jpeg()))
    let segment: [UInt8] = [0xFF, 0xEB, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 0xFFFD)
    let long = [
      Array(png[..<33]) + repeated(PNGChunks.chunk("paDs", []), 70_000) + png[33...],
      Array(jpeg[..<2]) + repeated(segment, 70) + jpeg[2...],
    ]
    let cancellation = Cancellation()
    cancellation.cancel()
    Cancellation.$current.withValue(cancellation) {
      for bytes in long {
        #expect(throws: CancellationError.self) { try PhotoFile(decoding: bytes, name: "a") }
      }
      for bytes in [png, jpeg] {
        #expect(throws: Never.self) { try PhotoFile(decoding: bytes, name: "a") }
      }
    }
  }

  @Test("an Exif block above 16 MiB is left out") func longBlocksAreLeftOut() throws {
    let exif = ExifFixture(orientation: 6).bytes
    let block = exif + [UInt8](repeating: 0, count: ImageMetadata.blockLimit)
    let png = PNGFixture(
      width: 2, height: 1, rows: [1, 2, 3, 4, 5, 6], extra: PNGChunks.chunk("eXIf", block))
    let image = try Image(decoding: png.bytes, name: "a")
    #expect(image.width == 2 && image.metadata.exif == nil)
    let webP = WebPFixture.file(
      WebPFixture.extended(flags: 8, height: 1, width: 2)
        + WebPFixture.chunk(height: 1, width: 2) { _, _ in true }
        + WebPFixture.chunk("EXIF", block))
    #expect(try PhotoFile(decoding: webP, name: "a").uprightSize == (1, 2))
  }

  /// A list of pictures with shared bytes would otherwise be searched once per entry.
  @Test("listed pictures are read up to the file's length in total")
  func furtherPicturesAreTogetherNotLongerThanTheFile() throws {
    let photo = try TestPhoto.image(height: 16, width: 16).encoded(as: .jpeg())
    var tables = Array("MM\0*".utf8) + long(8) + [0, 1, 0xB0, 0x02, 0, 7] + long(16 * 41)
    tables += long(26) + long(0) + [UInt8](repeating: 0, count: 16)
    let length = tables.count + 40 * 16
    // Offsets count from the byte-order field, after the marker, length and name.
    let start = photo.count + 8 + length - 2 - 8
    for _ in 0..<40 { tables += long(0) + long(photo.count) + long(start) + long(0) }
    let bytes =
      photo[..<2] + JPEGFile.segment(0xE2, Array("MPF\0".utf8) + tables) + photo[2...] + photo
    #expect(MultiPictureIndex.pictures(of: Array(bytes)).count < 4)
  }
}
