import DepthErrors
import Testing

@testable import DepthImages
@testable import PictureFiles

/// Changed bytes that libheif 1.15 reads, and messages about other files.
@Suite struct HEIFBytesTests {
  private let box = HEIFFixture.box

  private func file(_ references: [UInt8], brand: String = "heic", last: [UInt8] = []) -> [UInt8] {
    HEIFFixture.boxes(
      [HEIFFixture.extents(40, 30)], brand: brand, more: box("iref", [0, 0, 0, 0] + references))
      + last
  }

  /// The references in the file's `meta` box.
  private func references(of bytes: [UInt8]) throws -> [ISOBoxes.Reference] {
    let boxes = ISOBoxes(bytes)
    #expect(boxes.areWhole)
    let metas = boxes.all(in: 0..<bytes.count).filter { boxes.isOf("meta", $0) }
    #expect(metas.count == 1)
    let list = try #require(boxes.first("iref", in: metas[0].content.dropFirst(4)))
    return try #require(boxes.references(in: list)).references
  }

  @Test("references to two pictures keep only the picture")
  func referencesToTwoPicturesAreReduced() throws {
    let bytes = file(
      HEIFFixture.reference("auxl", from: 9, to: [8, 7])
        + HEIFFixture.reference("cdsc", from: 5, to: [7, 3])
        + HEIFFixture.reference("dimg", from: 7, to: [1, 2])
        + HEIFFixture.reference("auxl", from: 6, to: [7]),
      last: box("mdat", [1, 2, 3]))
    let readable = HEIFBytes.readable(bytes)
    let place = try #require(bytes.firstRange(of: Array("meta".utf8)))
    // No bytes move, so offsets stay valid.
    #expect(readable.count > bytes.count)
    for index in bytes.indices where !place.contains(index) {
      #expect(readable[index] == bytes[index])
    }
    #expect(
      try references(of: readable) == [
        .init(type: "auxl", source: 9, targets: [7]), .init(type: "cdsc", source: 5, targets: [7]),
        .init(type: "dimg", source: 7, targets: [1, 2]),
        .init(type: "auxl", source: 6, targets: [7]),
      ])
    let before = try HEIFHeader(bytes, file: "a", limits: ImageLimits())
    let after = try HEIFHeader(readable, file: "a", limits: ImageLimits())
    #expect((before.width, before.height) == (after.width, after.height))
  }

  @Test("a last box without a length gets its length") func anOpenBoxGetsItsLength() throws {
    var open = box("mdat", [1, 2, 3])
    open.replaceSubrange(0..<4, with: [0, 0, 0, 0])
    let bytes = file(HEIFFixture.reference("auxl", from: 9, to: [8, 7]), last: open)
    #expect(try references(of: HEIFBytes.readable(bytes))[0].targets == [7])
  }

  /// A tone map combines a picture with a gain map, so a reference to the tone map means the
  /// picture.
  @Test("a reference to a tone map becomes a reference to its picture")
  func referencesToAToneMapAreThoseToItsPicture() throws {
    let references =
      HEIFFixture.reference("dimg", from: 9, to: [7, 4])
      + HEIFFixture.reference("auxl", from: 6, to: [9])
      + HEIFFixture.reference("auxl", from: 5, to: [3])
    let bytes = HEIFFixture.changed(file(references)) { type, content in
      type == "iinf"
        ? [0, 0, 0, 0, 0, 2] + content.dropFirst(6) + HEIFFixture.item(9, "tmap") : content
    }
    #expect(
      try self.references(of: HEIFBytes.readable(bytes)) == [
        .init(type: "dimg", source: 9, targets: [7, 4]),
        .init(type: "auxl", source: 6, targets: [7]),
      ])
  }

  /// libheif gives unknown pictures no auxiliary pictures.
  @Test("references to unknown pictures are removed") func referencesToUnknownPicturesGo() throws {
    let bytes = file(
      HEIFFixture.reference("auxl", from: 9, to: [3])
        + HEIFFixture.reference("auxl", from: 6, to: [7]))
    #expect(
      try references(of: HEIFBytes.readable(bytes))
        == [.init(type: "auxl", source: 6, targets: [7])])
  }

  @Test("usual and truncated HEIC files stay unchanged") func usualAndDamagedFilesStayAsTheyAre() {
    let usual = file(HEIFFixture.reference("auxl", from: 9, to: [7]))
    let whole = file(
      HEIFFixture.reference("auxl", from: 9, to: [8, 7]), last: box("mdat", [1, 2, 3]))
    let end = whole.count - box("mdat", [1, 2, 3]).count
    for length in 0..<whole.count where !(end..<end + 8).contains(length) {
      let cut = Array(whole[..<length])
      #expect(HEIFBytes.readable(cut) == cut)
    }
    #expect(HEIFBytes.readable(usual) == usual)
  }

  @Test("a sequence with a still picture gets the still brand")
  func sequencesWithAStillPictureGetItsBrand() {
    func head(_ brands: String) -> [UInt8] {
      box("ftyp", Array(brands.utf8)) + box("meta", [0, 0, 0, 0])
    }
    func brands(_ bytes: [UInt8]) -> String { String(decoding: bytes[8..<24], as: UTF8.self) }
    #expect(
      brands(HEIFBytes.readable(head("avis\0\0\0\0avismsf1"))) == "avif\0\0\0\0avifmsf1")
    #expect(
      brands(HEIFBytes.readable(head("msf1\0\0\0\0msf1hevc"))) == "heic\0\0\0\0heichevc")
    #expect(
      brands(HEIFBytes.readable(head("avis\0\0\0\0avisavif"))) == "avis\0\0\0\0avisavif")
  }

  @Test("unsupported kinds of HEIC and AVIF are named") func kindsHaveNames() throws {
    let brand = box("ftyp", Array("avis\0\0\0\0avismsf1".utf8))
    let cases: [([UInt8], String)] = [
      (brand + box("moov", [1, 2, 3]), "is an AVIF sequence without a still picture"),
      // The file has boxes that lead to no picture, and lacks some frames.
      (
        brand + box("meta", [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, 1]))
          + box("moov", [1, 2, 3]),
        "is an AVIF sequence without a still picture"
      ),
      (
        box("ftyp", Array("mif3avif".utf8)) + box("mini", [1, 2, 3]),
        "is an AVIF picture in a box 'mini'"
      ),
      (
        box("ftyp", Array("mif3heic".utf8)) + box("mini", [1, 2, 3]),
        "is a HEIC picture in a box 'mini'"
      ),
    ]
    for (file, part) in cases {
      let error = #expect(throws: DepthError.self) { try PhotoFile(decoding: file, name: "a") }
      #expect(error?.code == .unsupportedFormat && error?.message.hasPrefix(part) == true)
      let cut = #expect(throws: DepthError.self) {
        try PhotoFile(decoding: file.dropLast(2), name: "a")
      }
      #expect(cut?.code == .damaged)
    }
  }

  @Test(
    "an unsupported compression in HEIC is named",
    arguments: ["vvc1": "VVC", "j2k1": "JPEG 2000", "unci": "uncompressed samples"])
  func compressionsHaveNames(type: String, name: String) throws {
    let bytes = HEIFFixture.boxes([HEIFFixture.extents(40, 30)], type: type)
    let header = try HEIFHeader(bytes, file: "a", limits: ImageLimits())
    #expect(header.kind == .compressed(name))
    guard HEIFFixture.isAvailable else { try Test.cancel("libheif is not installed") }
    let error = #expect(throws: DepthError.self) { try Image(decoding: bytes, name: "a") }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.message.hasPrefix("is compressed as \(name), which") == true)
  }

  @Test("an AVIF picture of layers is recognized") func layersHaveAName() throws {
    let layer = box("lsel", [0, 1])
    let bytes = HEIFFixture.boxes(
      [HEIFFixture.extents(40, 30), layer], brand: "avif", type: "av01")
    #expect(try HEIFHeader(bytes, file: "a", limits: ImageLimits()).kind == .layered)
  }

  @Test("libheif's messages lose their capital and line end") func messagesEndWithoutAnEndOfLine() {
    #expect(ChildDecoder.words("No brand.\n") == "no brand.")
    #expect(ChildDecoder.words("No brand\\n") == "no brand")
    #expect(ChildDecoder.words(" \n\\n").isEmpty)
  }

  /// A tiled picture has the color codes of the first tile.
  @Test("nclx gives the color codes, and clli gives the peak")
  func codesAreThoseOfThePictureOrItsTiles() throws {
    let color = { (primaries: UInt8, transfer: UInt8) in
      box("colr", Array("nclx".utf8) + [0, primaries, 0, transfer, 0, 6, 0x80])
    }
    let size = HEIFFixture.extents(40, 30)
    func header(_ properties: [[UInt8]]) throws -> HEIFHeader {
      try HEIFHeader(HEIFFixture.boxes(properties), file: "a", limits: ImageLimits())
    }
    let light = box("clli", [0x0F, 0xA0, 0, 0])
    #expect(
      try header([size, color(9, 16), light]).coding
        == ColorCoding(primaries: 9, transfer: 16, brightest: 4000))
    let profile = box("colr", Array("prof".utf8) + [1, 2, 3])
    #expect(try header([size, color(9, 16), profile]).coding == nil)
    #expect(try header([size]).coding == nil)
    let mono = box("av1C", [0x81, 0, 0x1C, 0])
    #expect(try header([size, mono]).isMonochrome && !header([size]).isMonochrome)
  }
}
