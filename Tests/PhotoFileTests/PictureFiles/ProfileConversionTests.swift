import Testing
import _TestSupport

@testable import DepthImages
@testable import PictureFiles

/// Pictures with a profile, for formats that hold none.
@Suite struct ProfileConversionTests {
  private static func picture(_ pixels: [UInt8], _ profile: [UInt8]) -> Image {
    Image(
      height: 1, width: pixels.count / 3, pixels: pixels,
      metadata: ImageMetadata(iccProfile: profile))
  }

  /// sRGB's red, another color and gray, as Display P3 has them.
  private static let colors: [UInt8] = [234, 51, 35, 186, 124, 60, 128, 128, 128]

  @Test(arguments: [MadeUpProfile.parametric, MadeUpProfile.sampled]) func displayP3BecomesSRGB(
    curve: [UInt8]
  ) {
    let found = Self.picture(Self.colors, MadeUpProfile.profile(MadeUpProfile.p3, curve: curve))
      .inSRGB
    let wanted = stride(from: 0, to: 9, by: 3).flatMap { place in
      ReferenceColors.sRGB(
        Self.colors[place..<place + 3].map { Double($0) / 255 }, primaries: 12, transfer: .sRGB)
    }
    for (byte, number) in zip(found.pixels, wanted) { #expect(abs(Double(byte) - number) < 1.2) }
    #expect(found.pixels[0] == 255 && found.pixels[1] <= 2 && found.pixels[6] == 128)
    #expect(found.metadata.iccProfile == nil)
  }

  @Test func aProfileOfSRGBChangesNothing() {
    for curve in [MadeUpProfile.parametric, MadeUpProfile.sampled] {
      let image = Self.picture(Self.colors, MadeUpProfile.profile(MadeUpProfile.sRGB, curve: curve))
      #expect(image.inSRGB == image && image.noteOfUnknownProfile == nil)
    }
  }

  @Test func powersAreCurves() {
    let image = Self.picture(
      [0, 64, 255], MadeUpProfile.profile(MadeUpProfile.sRGB, curve: MadeUpProfile.gamma(1)))
    // Light of 64/255 is 137 in sRGB.
    #expect(image.inSRGB.pixels == [0, 137, 255])
  }

  @Test func grayProfilesAreForGrayPictures() throws {
    let profile = MadeUpProfile.gray(gamma: 1)
    let chunk = try ICCProfile.chunk(profile)
    let gray = try Image(
      decoding: PNGFixture(width: 2, height: 1, colorType: 0, rows: [64, 255], extra: chunk).bytes)
    // Other formats keep the numbers, as before; they have no place for the profile.
    #expect(gray.pixels == [64, 64, 64, 255, 255, 255] && gray.metadata.iccProfile == nil)
    #expect(gray.inSRGB.pixels == [137, 137, 137, 255, 255, 255])
    var color = Self.picture(Self.colors, profile)
    (color.metadata.iccProfile, color.metadata.grayProfile) = (nil, profile)
    #expect(color.inSRGB.pixels == Self.colors)
  }

  /// Tables of colors are not applied, and neither is damage.
  @Test func otherProfilesAreNamed() {
    let good = MadeUpProfile.displayP3
    for end in [20, 131, 140, 200, good.count - 1] {
      let image = Self.picture(Self.colors, Array(good.prefix(end)))
      #expect(image.inSRGB == image)
      #expect(image.noteOfUnknownProfile?.hasPrefix("its color profile has no matrix") == true)
    }
    #expect(Self.picture(Self.colors, good).noteOfUnknownProfile == nil)
  }

  /// Any bytes lead to a picture.
  @Test func damageIsNeverATrap() {
    let good = MadeUpProfile.profile(MadeUpProfile.p3, curve: MadeUpProfile.sampled)
    var random = SplitMix64(state: 68)
    for _ in 0..<500 {
      var bytes = good
      for _ in 0..<4 {
        bytes[Int.random(in: 128..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      #expect(Self.picture(Self.colors, bytes).inSRGB.pixels.count == 9)
    }
  }
}
