import DepthErrors
import Testing

@testable import DepthImages
@testable import PictureFiles

/// Sizes that are read from boxes before libheif reads a file.
@Suite struct HEIFHeaderTests {
  private let box = HEIFFixture.box

  private func header(
    _ properties: [[UInt8]], brand: String = "heic", limits: ImageLimits = ImageLimits()
  ) throws -> HEIFHeader {
    try HEIFHeader(HEIFFixture.boxes(properties, brand: brand), file: "a.heic", limits: limits)
  }

  @Test("an irot box of one or three turns swaps the sides") func turningSwapsTheSides() throws {
    let size = HEIFFixture.extents(40, 30)
    for (turns, sides) in [(0, (40, 30)), (1, (30, 40)), (2, (40, 30)), (3, (30, 40))] {
      let header = try header([size, box("irot", [UInt8(turns)]), box("imir", [1])])
      #expect((header.width, header.height) == sides)
    }
  }

  @Test("crops and turns of a picture apply in order") func croppingComesInItsOrder() throws {
    func cropped(_ width: UInt8, _ height: UInt8) -> [UInt8] {
      box(
        "clap",
        [0, 0, 0, width, 0, 0, 0, 1, 0, 0, 0, height, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 16)
      )
    }
    let (size, turn) = (HEIFFixture.extents(40, 30), box("irot", [1]))
    let before = try header([size, cropped(20, 10), turn])
    #expect((before.width, before.height) == (10, 20))
    let after = try header([size, turn, cropped(20, 10)])
    #expect((after.width, after.height) == (20, 10))
    let error = #expect(throws: DepthError.self) { try header([size, cropped(41, 10)]) }
    #expect(error?.code == .damaged)
  }

  /// libheif rounds a crop of 39/2 columns to 20. Rounding to 19 would refuse the photo.
  @Test("fractional crops are rounded like libheif's crops")
  func cropsOfFractionsAreRounded() throws {
    func cropped(_ width: [UInt8], _ height: [UInt8]) -> [UInt8] {
      let sides = [width, height].flatMap { (side: [UInt8]) -> [UInt8] in
        [0, 0, 0, side[0], 0, 0, 0, side[1]]
      }
      return box("clap", sides + [UInt8](repeating: 0, count: 16))
    }
    let header = try header([HEIFFixture.extents(40, 30), cropped([39, 2], [41, 3])])
    #expect((header.width, header.height) == (20, 14))
  }

  @Test("brand mif1 is HEIC, brand avif is AVIF") func theBrandNamesTheFormat() throws {
    #expect(try header([HEIFFixture.extents(4, 3)], brand: "mif1").format == .heic)
    #expect(try header([HEIFFixture.extents(4, 3)], brand: "avif").format == .avif)
  }

  @Test("a HEIC file without a stated size is damaged") func fileWithoutSizeIsDamaged() {
    let whole = HEIFFixture.boxes([HEIFFixture.extents(40, 30)])
    for file in [
      HEIFFixture.boxes([]), HEIFFixture.boxes([box("irot", [1])]),
      HEIFFixture.boxes([HEIFFixture.extents(0, 30)]),
    ] + (12..<whole.count).map({ Array(whole.prefix($0)) }) {
      let error = #expect(throws: DepthError.self) {
        try PhotoFile(decoding: file, name: "a.heic")
      }
      #expect(error?.code == .damaged)
    }
  }

  @Test("a picture of 1200 pixels passes a limit of 1200") func limitsHoldForBothSizes() throws {
    #expect(throws: DepthError.tooLarge(file: "a.heic", width: 40, height: 30, limit: 1199)) {
      try header([HEIFFixture.extents(40, 30)], limits: ImageLimits(maximumPixels: 1199))
    }
    _ = try header([HEIFFixture.extents(40, 30)], limits: ImageLimits(maximumPixels: 1200))
  }

  /// A box may state its length in 64 bits, or extend to the end of the parent box.
  @Test("boxes with a 64-bit or an open length are read", arguments: [false, true])
  func longAndOpenBoxes(isLong: Bool) throws {
    let whole = HEIFFixture.boxes([HEIFFixture.extents(40, 30)])
    let start = 20  // After `ftyp`.
    let meta = Array(whole[(start + 4)...])
    let head: [UInt8] =
      isLong
      ? [0, 0, 0, 1] + meta[..<4] + [0, 0, 0, 0, 0, 0, 0, UInt8(meta.count + 12)]
      : [0, 0, 0, 0] + meta[..<4]
    let header = try HEIFHeader(
      whole[..<start] + head + meta[4...], file: "a.heic", limits: ImageLimits())
    #expect((header.width, header.height) == (40, 30))
  }

  @Test("a missing library or decoder is named with its package")
  func missingLibrariesAndDecodersAreNamed() {
    func texts(_ format: ChildDecoder.Format) -> [String] {
      let decoder = ChildDecoder(format: format, file: "a")
      return [decoder.missingLibrary.description, decoder.missingDecoder.description]
    }
    #expect(
      texts(.heic) == [
        "a: is a HEIC photo, which needs libheif; install it, as with 'apt install libheif1'",
        "a: needs a decoder of HEVC for libheif; install one, as with 'apt install libheif-plugin-libde265'",
      ])
    #expect(
      texts(.avif)[0].contains("an AVIF photo") && texts(.avif)[1].contains("libheif-plugin-dav1d"))
    #expect(texts(.webp)[0].contains("'apt install libwebp7'"))
  }

  /// The photo's own profile takes precedence.
  @Test("a tiled photo without a color box has its tiles' colors")
  func tilesSayTheColorsOfTheirPhoto() throws {
    let tiled = HEIFFixture.boxes(
      [
        HEIFFixture.extents(40, 30), box("colr", Array("nclx".utf8) + [0, 12, 0, 13, 0, 6, 0x80]),
        box("colr", Array("prof".utf8) + [1, 2, 3, 4]), box("clli", [1, 0x90, 0, 9]),
      ], type: "grid",
      more: box("iref", [0, 0, 0, 0] + HEIFFixture.reference("dimg", from: 7, to: [3, 4])))
    func coding(_ own: [UInt8], tile: [UInt8]) throws -> ColorCoding? {
      let file = HEIFFixture.changed(tiled) { type, content in
        guard type == "ipma" else { return content }
        return [0, 0, 0, 0, 0, 0, 0, 2, 0, 3, UInt8(tile.count)] + tile
          + [0, 7, UInt8(own.count)] + own
      }
      return try HEIFHeader(file, file: "a.heic", limits: ImageLimits()).coding
    }
    let coded = ColorCoding(primaries: 12, transfer: 13)
    #expect(try coding([1], tile: [1, 2]) == coded)
    #expect(try coding([1, 2], tile: [1, 4])?.brightest == 400)
    #expect(try coding([1, 2, 4], tile: [1])?.brightest == 400)
    #expect(try coding([1, 2], tile: [1]) == coded)
    #expect(try coding([1, 3], tile: [1, 2]) == nil)
    #expect(try coding([1], tile: [1]) == nil)
  }
}
