import Testing
import _TestSupport

@testable import DepthImages
@testable import PictureFiles

@Suite(.offPool) struct ICCProfileTests {
  private func profile(_ space: String, count: Int) -> [UInt8] {
    var profile = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
    profile.replaceSubrange(16..<20, with: Array(space.utf8))
    return profile
  }

  private func written(_ profile: [UInt8]) throws -> [UInt8] {
    try TestPicture.smooth(height: 9, width: 8, metadata: ImageMetadata(iccProfile: profile))
      .encoded(as: .png)
  }

  /// Whatever the profile says, the pixels come back as they are.
  @Test(arguments: [20, 128, 560, 200_000])
  func profileSurvives(count: Int) throws {
    let profile = profile("RGB ", count: count)
    let bytes = try written(profile)
    let decoded = try Image(decoding: bytes, name: "photo")
    #expect(decoded.metadata.iccProfile == profile)
    #expect(decoded.pixels == TestPicture.smooth(height: 9, width: 8).pixels)
    #expect(try !PNGChunks(bytes, file: "").chunks.contains { $0.type == "sRGB" })
  }

  @Test(arguments: ["CMYK", "GRAY"])
  func otherColorsAreLeftOut(space: String) throws {
    let profile = profile(space, count: 200)
    let bytes = try written(profile)
    #expect(try Image(decoding: bytes, name: "photo").metadata.iccProfile == nil)
    #expect(try PNGChunks(bytes, file: "").chunks.map(\.type).contains("sRGB"))
    let fixture = PNGFixture(
      width: 1, height: 1, rows: [1, 2, 3], extra: try ICCProfile.chunk(profile))
    #expect(try Image(decoding: fixture.bytes, name: "foreign").metadata.iccProfile == nil)
  }

  /// Pixels that were converted to sRGB no longer have the profile's colors.
  @Test(arguments: [(45_455, true), (100_000, false)] as [(UInt32, Bool)])
  func gammaTakesPrecedence(gamma: UInt32, isKept: Bool) throws {
    let profile = profile("RGB ", count: 200)
    var data: [UInt8] = []
    data.append(bigEndian: gamma)
    let fixture = PNGFixture(
      width: 1, height: 1, rows: [10, 20, 30],
      extra: try PNGChunks.chunk("gAMA", data) + ICCProfile.chunk(profile))
    let decoded = try Image(decoding: fixture.bytes, name: "photo")
    #expect((decoded.metadata.iccProfile == profile) == isKept)
    #expect((decoded.pixels == fixture.rows) == isKept)
  }

  @Test func damageIsNoProfile() throws {
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
        // Only the name may change without notice.
        #expect(place == 0 && profile.count == 300)
      }
    }
  }

  /// 17 MiB of zeros in a few kilobytes.
  @Test func bombsAreRefused() throws {
    let bomb = try Deflate.compressed([UInt8](repeating: 0, count: 17 << 20))
    #expect(Deflate.decompressed(bomb[...], limit: 16 << 20) == nil)
    #expect(Deflate.decompressed(bomb[...], limit: 17 << 20)?.count == 17 << 20)
  }
}
