import DepthErrors
import Testing

@testable import DepthImages
@testable import PictureFiles

/// The code points of colors in HEVC and AV1 headers.
@Suite struct CodePointsTests {
  private let box = HEIFFixture.box

  @Test("a complete HEVC parameter set gives color codes", arguments: [0, 2], [false, true])
  func parameterSetsOfHEVCAreRead(subLayers: Int, hasEverything: Bool) {
    let set = HeaderFixture.parameterSet(
      (9, 16, 10), subLayers: subLayers, hasEverything: hasEverything)
    #expect(
      CodePoints(hevcParameterSet: set[...]) == CodePoints(primaries: 9, transfer: 16, matrix: 10))
    let silent = HeaderFixture.parameterSet(
      nil, subLayers: subLayers, hasEverything: hasEverything)
    #expect(CodePoints(hevcParameterSet: silent[...]) == CodePoints())
    for length in 0..<set.count - 1 {
      #expect(CodePoints(hevcParameterSet: set.prefix(length)) == nil)
    }
  }

  @Test(
    "a complete AV1 sequence header gives color codes",
    arguments: [(true, false), (false, false), (false, true)], [false, true])
  func sequenceHeadersOfAV1AreRead(
    form: (isReduced: Bool, hasEverything: Bool), hasLength: Bool
  ) {
    func units(_ codes: (Int, Int, Int)?) -> [UInt8] {
      HeaderFixture.av1Units(
        codes, isReduced: form.isReduced, hasEverything: form.hasEverything, hasLength: hasLength)
    }
    let whole = units((12, 18, 6))
    #expect(CodePoints(av1Units: whole[...]) == CodePoints(primaries: 12, transfer: 18, matrix: 6))
    #expect(CodePoints(av1Units: units(nil)[...]) == CodePoints())
    for length in 0..<whole.count - 2 {
      #expect(CodePoints(av1Units: whole.prefix(length)) == nil)
    }
  }

  @Test("damaged headers of HEVC and AV1 never crash the reader") func damageIsNeverATrap() {
    var random = SplitMix64(state: 84)
    let sets = [
      HeaderFixture.parameterSet((9, 16, 9), subLayers: 2, hasEverything: true),
      HeaderFixture.av1Units((9, 16, 9), isReduced: false, hasEverything: true),
    ]
    for _ in 0..<2000 {
      for set in sets {
        var bytes = set
        for _ in 0..<3 {
          bytes[Int.random(in: 2..<bytes.count, using: &random)] = .random(
            in: 0...255, using: &random)
        }
        _ = (CodePoints(hevcParameterSet: bytes[...]), CodePoints(av1Units: bytes[...]))
      }
    }
  }

  /// A file of one item. The item's first bytes are in the file or in `idat`.
  private func file(
    _ properties: [[UInt8]], type: String, data: [UInt8] = [], isInside: Bool = false
  ) -> [UInt8] {
    func whole(at offset: Int) -> [UInt8] {
      let place: [UInt8] = [UInt8(offset >> 8), UInt8(offset & 255)]
      // Version 1 with two-byte offsets and lengths: the item, the item's place and one extent.
      let places = box(
        "iloc",
        [1, 0, 0, 0, 0x22, 0, 0, 1, 0, 7, 0, isInside ? 1 : 0, 0, 0, 0, 1] + place
          + [0, UInt8(data.count)])
      return HEIFFixture.boxes(
        [HEIFFixture.extents(64, 48)] + properties, brand: type == "av01" ? "avif" : "heic",
        type: type, more: places + (isInside ? box("idat", data) : [])) + box("mdat", data)
    }
    return isInside ? whole(at: 0) : whole(at: whole(at: 0).count - data.count)
  }

  private func header(_ bytes: [UInt8]) throws -> HEIFHeader {
    try HEIFHeader(bytes, file: "a", limits: ImageLimits())
  }

  /// libheif and libavif then use the codes of the compressed picture.
  @Test("a picture without a color box has its compressed data's codes")
  func withoutAColorBoxTheCompressedPictureCounts() throws {
    let set = HeaderFixture.parameterSet((9, 16, 9))
    let hevc = box("hvcC", HeaderFixture.hevcConfiguration(set))
    let light = box("clli", [0x0F, 0xA0, 0, 0])
    #expect(
      try header(file([hevc, light], type: "hvc1")).coding
        == ColorCoding(primaries: 9, transfer: 16, brightest: 4000))
    let units = HeaderFixture.av1Units((12, 13, 6), isReduced: true)
    let coded = ColorCoding(primaries: 12, transfer: 13)
    let short = box("av1C", [0x81, 0, 0x0C, 0])
    for bytes in [
      file([box("av1C", [0x81, 0, 0x0C, 0] + units)], type: "av01"),
      file([short], type: "av01", data: units),
      file([short], type: "av01", data: units, isInside: true),
    ] {
      #expect(try header(bytes).coding == coded)
    }
    // Boxes take precedence over the compressed picture.
    let sRGB = box("colr", Array("nclx".utf8) + [0, 1, 0, 13, 0, 6, 0x80])
    #expect(
      try header(file([hevc, sRGB], type: "hvc1")).coding
        == ColorCoding(primaries: 1, transfer: 13))
    let profile = box("colr", Array("prof".utf8) + [1, 2, 3])
    #expect(try header(file([hevc, profile], type: "hvc1")).coding == nil)
  }

  /// H.273 defines these matrices. libheif replaces an unknown matrix by another matrix.
  @Test("only the matrices of H.273 are read", arguments: 0...20)
  func everyMatrixIsReadOrRefused(matrix: Int) throws {
    let isKnown = [0, 1, 2, 4, 5, 6, 7, 8, 9, 12].contains(matrix)
    let codes = CodePoints(primaries: 1, transfer: 13, matrix: matrix)
    #expect((codes.unknownMatrix == nil) == isKnown)
    guard !isKnown else { return }
    let bytes = file(
      [box("colr", Array("nclx".utf8) + [0, 1, 0, 13, 0, UInt8(matrix), 0x80])], type: "hvc1")
    let error = #expect(throws: DepthError.self) { try Image(decoding: bytes, name: "a") }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.message.hasPrefix("has colors of matrix \(matrix) (") == true)
    // The compressed picture also states the matrix. A gray picture has no matrix.
    let set = HeaderFixture.parameterSet((1, 13, matrix))
    let silent = file([box("hvcC", HeaderFixture.hevcConfiguration(set))], type: "hvc1")
    #expect(throws: DepthError.self) { try Image(decoding: silent, name: "a") }
    #expect(try header(silent).codes?.matrix == matrix)
  }
}
