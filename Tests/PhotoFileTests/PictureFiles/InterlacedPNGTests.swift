import DepthErrors
import Testing

@testable import DepthImages
@testable import PictureFiles

/// 16-bit photos in seven passes equal photos that are stored row by row.
@Suite struct InterlacedPNGTests {
  private func fixture(
    _ colorType: UInt8, width: Int, height: Int, bitDepth: UInt8 = 16, extra: [UInt8] = []
  ) -> PNGFixture {
    var random = SplitMix64(state: UInt64(width * 100 + height))
    let channels = [0: 1, 2: 3, 4: 2, 6: 4][Int(colorType)] ?? 1
    let count = width * height * channels * Int(bitDepth) / 8
    return PNGFixture(
      width: width, height: height, bitDepth: bitDepth, colorType: colorType,
      rows: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }, extra: extra)
  }

  private func pixels(_ fixture: PNGFixture, interlaced: Bool) throws -> [UInt8] {
    var fixture = fixture
    fixture.isInterlaced = interlaced
    return try Image(decoding: fixture.bytes, name: "photo.png").pixels
  }

  @Test(
    "an interlaced PNG has the pixels of the plain PNG", arguments: [0, 2, 4, 6] as [UInt8],
    [(16, 16), (1, 1), (3, 5), (4, 1), (1, 9), (33, 21)])
  func passesGiveTheRows(colorType: UInt8, size: (width: Int, height: Int)) throws {
    let fixture = fixture(colorType, width: size.width, height: size.height)
    #expect(try pixels(fixture, interlaced: true) == pixels(fixture, interlaced: false))
    let narrow = self.fixture(colorType, width: size.width, height: size.height, bitDepth: 8)
    #expect(try pixels(narrow, interlaced: true) == pixels(narrow, interlaced: false))
  }

  /// A vertical ramp, in which every row differs from the row above.
  @Test("an interlaced ramp has all rows in order") func rampHasAllItsRows() throws {
    let rows = (0..<16).flatMap { y in [UInt8](repeating: UInt8(y * 16), count: 2 * 16) }
    let fixture = PNGFixture(width: 16, height: 16, bitDepth: 16, colorType: 0, rows: rows)
    let red = stride(from: 0, to: 16 * 16 * 3, by: 16 * 3)
    let found = try pixels(fixture, interlaced: true)
    let ramp: [UInt8] = (0..<16).map { UInt8($0 * 16) }
    #expect(red.map { found[$0] } == ramp)
  }

  @Test("gAMA and tRNS apply to an interlaced PNG", arguments: [100_000, 45_455] as [UInt32])
  func otherChunksApply(gamma: UInt32) throws {
    var data: [UInt8] = []
    data.append(bigEndian: gamma)
    let extra = PNGChunks.chunk("gAMA", data) + PNGChunks.chunk("tRNS", [0, 1, 2, 3, 4, 5])
    let fixture = fixture(2, width: 9, height: 8, extra: extra)
    #expect(try pixels(fixture, interlaced: true) == pixels(fixture, interlaced: false))
  }

  @Test("an interlaced photo of many strips is complete") func largePhotosAreWhole() throws {
    let fixture = fixture(2, width: 700, height: 300)
    #expect(try pixels(fixture, interlaced: true) == pixels(fixture, interlaced: false))
  }

  @Test("a damaged interlaced PNG gives an error or a whole picture")
  func damageIsAnErrorOrAPictureOfTheSameSize() throws {
    var fixture = fixture(6, width: 9, height: 9)
    fixture.isInterlaced = true
    try expectDamageIsSurvived(fixture.bytes, from: 8, changes: 1...1, runs: 2_000, seed: 3)
  }
}
