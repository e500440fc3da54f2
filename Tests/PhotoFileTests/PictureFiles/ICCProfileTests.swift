import Testing

@testable import DepthImages
@testable import PictureFiles

@Suite struct ICCProfileTests {
  private func profile(_ space: String, count: Int) -> [UInt8] {
    var profile = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
    profile.replaceSubrange(16..<20, with: Array(space.utf8))
    return profile
  }

  private func written(_ profile: [UInt8]) throws -> [UInt8] {
    try TestPicture.smooth(height: 9, width: 8, metadata: ImageMetadata(iccProfile: profile))
      .encoded(as: .png)
  }

  @Test("an RGB profile is read back", arguments: [20, 128, 560, 200_000])
  func profileSurvives(count: Int) throws {
    let profile = profile("RGB ", count: count)
    let bytes = try written(profile)
    let decoded = try Image(decoding: bytes, name: "photo")
    #expect(decoded.metadata.iccProfile == profile)
    #expect(decoded.pixels == TestPicture.smooth(height: 9, width: 8).pixels)
    #expect(try !PNGChunks(bytes, file: "").chunks.contains { $0.type == "sRGB" })
  }

  @Test("a CMYK or gray profile is left out of a color PNG", arguments: ["CMYK", "GRAY"])
  func otherColorsAreLeftOut(space: String) throws {
    let profile = profile(space, count: 200)
    let bytes = try written(profile)
    #expect(try Image(decoding: bytes, name: "photo").metadata.iccProfile == nil)
    #expect(try PNGChunks(bytes, file: "").chunks.map(\.type).contains("sRGB"))
    let fixture = PNGFixture(
      width: 1, height: 1, rows: [1, 2, 3], extra: try ICCProfile.chunk(profile))
    #expect(try Image(decoding: fixture.bytes, name: "foreign").metadata.iccProfile == nil)
  }

  /// The chunks may have any order.
  @Test(
    "cICP, iCCP and sRGB take precedence over gAMA",
    arguments: [45_455, 100_000, 55_556] as [UInt32])
  func gammaCountsLast(gamma: UInt32) throws {
    let profile = profile("RGB ", count: 200)
    var data: [UInt8] = []
    data.append(bigEndian: gamma)
    let gAMA = PNGChunks.chunk("gAMA", data)
    let iCCP = try ICCProfile.chunk(profile)
    let (sRGB, cICP) = (PNGChunks.chunk("sRGB", [0]), PNGChunks.chunk("cICP", [1, 13, 0, 1]))
    func decoded(_ extra: [UInt8], colorType: UInt8 = 2) throws -> Image {
      let rows: [UInt8] = colorType == 2 ? [10, 120, 30] : [120]
      let fixture = PNGFixture(
        width: 1, height: 1, colorType: colorType, rows: rows, extra: extra)
      return try Image(decoding: fixture.bytes, name: "photo")
    }
    for extra in [
      gAMA + iCCP, iCCP + gAMA, gAMA + sRGB, sRGB + gAMA, gAMA + cICP, cICP + gAMA,
    ] {
      #expect(try decoded(extra).pixels == [10, 120, 30])
    }
    #expect(try decoded(gAMA + iCCP).metadata.iccProfile == profile)
    let grays = try ICCProfile.chunk(self.profile("GRAY", count: 200))
    #expect(try decoded(gAMA + grays, colorType: 0).pixels == [120, 120, 120])
    let damaged = PNGChunks.chunk("iCCP", Array("p\0\0".utf8) + [1, 2, 3])
    #expect(try (decoded(gAMA + damaged).pixels == [10, 120, 30]) == (gamma == 45_455))
  }

  @Test("a damaged profile is ignored") func damageIsNoProfile() throws {
    var random = SplitMix64(state: 12)
    let good = try Deflate.compressed(profile("RGB ", count: 300))
    for round in 0..<2_000 {
      var data = Array("p\0\0".utf8) + good
      let place = Int.random(in: 0..<data.count, using: &random)
      data[place] ^= UInt8.random(in: 1...255, using: &random)
      if round % 2 == 0 { data = Array(data[..<place]) }
      let fixture = PNGFixture(
        width: 1, height: 1, rows: [1, 2, 3], extra: PNGChunks.chunk("iCCP", data))
      let chunks = try PNGChunks(fixture.bytes, file: "")
      if let profile = ICCProfile.profile(of: chunks) {
        // The checksum does not cover the name.
        #expect(place == 0 && profile.count == 300)
      }
    }
  }

  @Test("inflate refuses 17 MiB at a limit of 16 MiB") func bombsAreRefused() throws {
    let bomb = try Deflate.compressed([UInt8](repeating: 0, count: 17 << 20))
    #expect(Deflate.decompressed(bomb[...], limit: 16 << 20) == nil)
    #expect(Deflate.decompressed(bomb[...], limit: 17 << 20)?.count == 17 << 20)
  }
}
