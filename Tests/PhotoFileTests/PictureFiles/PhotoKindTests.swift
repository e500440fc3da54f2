import DepthErrors
import Testing
import _TestSupport

@testable import PictureFiles

/// Special kinds of photos that are read like plain photos.
@Suite struct PhotoKindTests {
  private static let spheres =
    "<x xmlns:G='http://ns.google.com/photos/1.0/panorama/' G:ProjectionType='equirectangular'/>"

  private func jpeg(_ segment: [UInt8]) throws -> [UInt8] {
    let photo = try TestPhoto.image().encoded(as: .jpeg())
    return photo[..<2] + segment + photo[2...]
  }

  private func notes(_ bytes: [UInt8]) throws -> [String] {
    try PhotoFile(decoding: bytes, name: "a").notes
  }

  @Test(
    "a stereo photo in one picture is named",
    arguments: [(1, "interleaved rows"), (2, "side by side"), (3, "top and bottom")])
  func twoViewsInOnePicture(layout: UInt8, name: String) throws {
    func file(media: UInt8) throws -> [UInt8] {
      try jpeg(JPEGFile.segment(0xE3, Array("_JPSJPS_".utf8) + [0, 4, 0, 0, layout, media, 0, 0]))
    }
    let stereo = try file(media: 1)
    #expect(
      try notes(stereo) == ["is a stereo photo (\(name)), but is processed as a single view"])
    let error = #expect(throws: DepthError.self) {
      try PhotoFile(decoding: stereo, name: "a").requireOneView()
    }
    #expect(error?.message.hasPrefix("holds a stereo photo already (\(name))") == true)
    #expect(try notes(file(media: 0)).isEmpty)
    let png = PNGFixture(
      width: 2, height: 1, rows: [1, 2, 3, 4, 5, 6], extra: PNGChunks.chunk("sTER", [0]))
    #expect(try PhotoFile(decoding: png.bytes, name: "a").stereoKind == "side by side")
  }

  /// The types of pictures in a multi-picture file: two views, or a photo and a preview.
  @Test(
    "two views in a multi-picture file are named",
    arguments: [(0x02_0002, true), (0x01_0001, false), (0x02_0001, false)])
  func viewsOneBehindTheOther(type: UInt32, isStereo: Bool) throws {
    var tables = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0xB0, 0x02, 0, 7, 0, 0, 0, 32]
    tables += [0, 0, 0, 26, 0, 0, 0, 0]
    for attribute in [0x2003_0000 | type & 0xFFFF, type] {
      tables += [UInt8](bigEndian: attribute) + [UInt8](repeating: 0, count: 12)
    }
    let file = try jpeg(JPEGFile.segment(0xE2, Array("MPF\0".utf8) + tables))
    #expect(try (PhotoFile(decoding: file, name: "a").stereoKind == "multi-picture") == isStereo)
    #expect(try notes(file).isEmpty != isStereo)
  }

  /// A HEIC file with two pictures that form a stereo pair.
  @Test("a HEIC photo in a group ster is a stereo photo") func pairsOfPictures() throws {
    let box = HEIFFixture.box
    func file(_ type: String, _ items: [UInt8]) -> [UInt8] {
      let group = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, UInt8(items.count)]
      return HEIFFixture.boxes(
        [HEIFFixture.extents(40, 30)],
        more: box("grpl", box(type, group + items.flatMap { [0, 0, 0, $0] })))
    }
    #expect(try PhotoFile(decoding: file("ster", [7, 3]), name: "a").stereoKind == "two pictures")
    #expect(try PhotoFile(decoding: file("altr", [7, 3]), name: "a").stereoKind == nil)
    #expect(try PhotoFile(decoding: file("ster", [3, 4]), name: "a").stereoKind == nil)
  }

  @Test("a 360° photo is named in JPEG, PNG, WebP and HEIC") func spheresAreNamed() throws {
    let packet = Array(Self.spheres.utf8)
    let note = "is a 360° photo, but is processed as a flat one"
    let jpeg = try jpeg(
      JPEGFile.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet))
    let png = PNGFixture(
      width: 2, height: 1, rows: [1, 2, 3, 4, 5, 6],
      extra: PNGChunks.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet))
    let webP = WebPFixture.file(
      WebPFixture.extended(flags: 4, height: 1, width: 2)
        + WebPFixture.chunk(height: 1, width: 2) { _, _ in true }
        + WebPFixture.chunk("XMP ", packet))
    // The items' data is in `idat`.
    let heic = HEIFFixture.changed(
      HEIFFixture.boxes(
        [HEIFFixture.extents(40, 30)],
        more: HEIFFixture.box(
          "iloc",
          [1, 0, 0, 0, 0x22, 0, 0, 1, 0, 9, 0, 1, 0, 0, 0, 1, 0, 0, 0, UInt8(packet.count)])
          + HEIFFixture.box("idat", packet))
    ) { type, content in
      type == "iinf"
        ? [0, 0, 0, 0, 0, 2] + content.dropFirst(6) + HEIFFixture.item(9, "mime") : content
    }
    for bytes in [jpeg, png.bytes, webP, heic] { #expect(try notes(bytes) == [note]) }
    #expect(try notes(TestPhoto.image().encoded(as: .jpeg())).isEmpty)
  }

  /// A picture that precedes the frames of a film. Only the picture is read.
  @Test("an AVIF sequence with frames is named an animation") func sequencesAreAnimations() throws {
    let still = HEIFFixture.boxes([HEIFFixture.extents(40, 30)], brand: "avis")
    #expect(try notes(still).isEmpty)
    #expect(
      try notes(still + HEIFFixture.box("moov", [])) == [
        "is an animation, of which the first frame is read"
      ])
  }
}
