import Foundation
import Testing
import _TestSupport

@testable import DepthImages
@testable import PictureFiles

/// Pictures with a profile that are written to formats without profiles.
@Suite struct ProfileConversionTests {
  private static func picture(_ pixels: [UInt8], _ profile: [UInt8]) -> Image {
    Image(
      height: 1, width: pixels.count / 3, pixels: pixels,
      metadata: ImageMetadata(iccProfile: profile))
  }

  /// sRGB's red, another color and gray, in Display P3.
  private static let colors: [UInt8] = [234, 51, 35, 186, 124, 60, 128, 128, 128]

  @Test(
    "a picture with a Display P3 profile becomes sRGB",
    arguments: [MadeUpProfile.parametric, MadeUpProfile.sampled])
  func displayP3BecomesSRGB(
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

  @Test("a profile of sRGB changes nothing") func aProfileOfSRGBChangesNothing() {
    for curve in [MadeUpProfile.parametric, MadeUpProfile.sampled] {
      let image = Self.picture(Self.colors, MadeUpProfile.profile(MadeUpProfile.sRGB, curve: curve))
      #expect(image.inSRGB == image && image.noteOfUnknownProfile == nil)
    }
  }

  /// Light of 64/255, for example, has the sRGB code 137.
  @Test(
    "a profile with a gamma is applied",
    arguments: [(1, 64, 137), (1, 20, 79), (2.5, 64, 50)] as [(Double, UInt8, UInt8)])
  func powersAreCurves(gamma: Double, number: UInt8, found: UInt8) {
    let image = Self.picture(
      [0, number, 255], MadeUpProfile.profile(MadeUpProfile.sRGB, curve: MadeUpProfile.gamma(gamma))
    )
    #expect(image.inSRGB.pixels == [0, found, 255])
  }

  /// sRGB codes of light 64/255, of half-transparent 64/255 over white, and of white.
  private static let linearGrays: [UInt8] = [137, 137, 137, 255, 255, 255]

  /// Gray becomes RGB, which cannot have a gray profile. Every output is therefore sRGB.
  @Test(
    "gray PNG with a profile becomes sRGB",
    arguments: [(8, false), (16, false), (16, true)] as [(UInt8, Bool)], [false, true])
  func grayOfAProfileBecomesSRGB(
    form: (bits: UInt8, isInterlaced: Bool), hasAlpha: Bool
  ) throws {
    let row: [UInt8] = (hasAlpha ? [64, 255, 255, 255, 64, 0] : [64, 255, 64]).flatMap {
      form.bits == 16 ? [$0, $0] : [$0]
    }
    let file = PNGFixture(
      width: 3, height: 1, bitDepth: form.bits, colorType: hasAlpha ? 4 : 0, rows: row,
      extra: try ICCProfile.chunk(MadeUpProfile.gray(gamma: 1)), isInterlaced: form.isInterlaced)
    let image = try Image(decoding: file.bytes)
    #expect(
      image.pixels == Self.linearGrays + (hasAlpha ? [255, 255, 255] : [137, 137, 137]))
    #expect(image.metadata.iccProfile == nil && image.metadata.colorNote == nil)
    #expect(image.inSRGB == image)
    for format in [ImageFileFormat.png, .jpeg(quality: 100)] {
      let again = try Image(decoding: image.encoded(as: format))
      #expect(again.metadata.iccProfile == nil && abs(Int(again.pixels[0]) - 137) <= 2)
    }
  }

  /// Half-transparent black in linear light is half white with any profile.
  @Test("opacity mixes gray after its profile is applied") func opacityMixesConvertedGray() throws {
    let file = PNGFixture(
      width: 1, height: 1, colorType: 4, rows: [0, 128],
      extra: try ICCProfile.chunk(MadeUpProfile.gray(gamma: 1)))
    #expect(try Image(decoding: file.bytes).pixels == [127, 127, 127])
  }

  @Test("gray JPEG with a profile becomes sRGB") func grayJPEGsOfAProfileBecomeSRGB() throws {
    let profile = MadeUpProfile.gray(gamma: 1)
    let segment = JPEGFile.segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + profile)
    func decoded(_ components: [UInt8]) throws -> Image {
      let photo = FlatJPEG(components: components).bytes
      return try Image(decoding: photo[..<2] + segment + photo[2...])
    }
    #expect(try decoded([64]).pixels[0] == 137)
    // A gray profile does not apply to colors.
    let color = try decoded([64, 100, 140])
    #expect(try color.pixels == Image(decoding: FlatJPEG(components: [64, 100, 140]).bytes).pixels)
  }

  @Test("an unreadable gray profile is noted and not applied")
  func grayProfilesThatCannotBeReadAreNamed() throws {
    let cut = Array(MadeUpProfile.gray(gamma: 1).prefix(132))
    let file = PNGFixture(
      width: 1, height: 1, colorType: 0, rows: [64], extra: try ICCProfile.chunk(cut))
    let image = try Image(decoding: file.bytes)
    #expect(image.pixels == [64, 64, 64])
    #expect(image.metadata.colorNote == ICCProfile.noteOfUnknown)
  }

  /// The five functions of `para`, on both sides of their breakpoints.
  ///
  /// > Source: ICC.1:2022, table 68.
  @Test(
    "the five parametric functions of ICC are applied",
    arguments: [
      [1.5], [1.5, 0.9, -0.2], [1.5, 0.8, -0.2, 0.1], [2, 0.9, 0.1, 0.5, 0.3],
      [2, 0.9, 0.1, 0.5, 0.3, 0.05, 0.2],
    ])
  func everyFunctionIsACurve(values: [Double]) throws {
    let type = try #require([1, 3, 4, 5, 7].firstIndex(of: values.count))
    func light(_ x: Double) -> Double {
      func power() -> Double { pow(values[1] * x + values[2], values[0]) }
      switch type {
      case 0: return pow(x, values[0])
      case 1: return x >= -values[2] / values[1] ? power() : 0
      case 2: return x >= -values[2] / values[1] ? power() + values[3] : values[3]
      case 3: return x >= values[4] ? power() : values[3] * x
      default: return x >= values[4] ? power() + values[5] : values[3] * x + values[6]
      }
    }
    let profile = MadeUpProfile.profile(
      [:], curve: MadeUpProfile.function(UInt8(type), values), space: "GRAY")
    let grays = (0...17).map { UInt8(15 * $0) }
    let file = PNGFixture(
      width: grays.count, height: 1, colorType: 0, rows: grays,
      extra: try ICCProfile.chunk(profile))
    let pixels = try Image(decoding: file.bytes).pixels
    for (index, gray) in grays.enumerated() {
      let light = min(1, light(Double(gray) / 255))
      let wanted = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
      #expect(abs(Double(pixels[3 * index]) - 255 * wanted) < 0.6, "\(gray)")
    }
  }

  /// A profile is damaged if the luminances of its colorants do not sum to 1, the white's
  /// luminance.
  @Test(
    "a profile whose colorants do not sum to white is not applied",
    arguments: [(0.8, false), (0.95, true), (1, true), (1.05, true), (1.2, false)])
  func colorantsAddUpToWhite(sum: Double, isIntact: Bool) {
    let colorants = MadeUpProfile.p3.mapValues { $0.map { $0 * sum } }
    let image = Self.picture(
      Self.colors, MadeUpProfile.profile(colorants, curve: MadeUpProfile.parametric))
    #expect((image.noteOfUnknownProfile == nil) == isIntact)
    #expect((image.inSRGB == image) == !isIntact)
  }

  /// Each channel of each pixel is compared.
  @Test(
    "a gray profile on color pixels is dropped without use",
    arguments: [
      [10, 10, 200], [10, 200, 10], [200, 10, 10], [10, 10, 10, 10, 10, 11],
    ] as [[UInt8]])
  func aProfileOfGrayChangesNoColors(pixels: [UInt8]) {
    let image = Image(
      stored: pixels, height: 1, width: pixels.count / 3, exif: nil,
      iccProfile: MadeUpProfile.gray(gamma: 1))
    #expect(image.pixels == pixels)
    #expect(image.metadata.iccProfile == nil && image.metadata.colorNote == nil)
  }

  @Test("a truncated profile is noted and not applied") func otherProfilesAreNamed() {
    let good = MadeUpProfile.displayP3
    for end in [20, 131, 140, 200, good.count - 1] {
      let image = Self.picture(Self.colors, Array(good.prefix(end)))
      #expect(image.inSRGB == image)
      #expect(image.noteOfUnknownProfile?.hasPrefix("its color profile has no matrix") == true)
    }
    #expect(Self.picture(Self.colors, good).noteOfUnknownProfile == nil)
  }

  @Test("a picture with a damaged profile is read") func damageIsNeverATrap() {
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
