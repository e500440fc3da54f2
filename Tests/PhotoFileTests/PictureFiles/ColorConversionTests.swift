import Foundation
import Testing
import _TestSupport

@testable import DepthImages
@testable import PictureFiles

/// PNG pictures whose `cICP` chunk states a high dynamic range or a wide gamut.
@Suite struct ColorConversionTests {
  typealias Transfer = ReferenceColors.Transfer

  /// All combinations of 0 to 1 in steps of a fifth.
  private static let lattice: [[Double]] = {
    let steps = [0, 0.2, 0.4, 0.6, 0.8, 1]
    var colors: [[Double]] = []
    for red in steps {
      for green in steps { for blue in steps { colors.append([red, green, blue]) } }
    }
    return colors
  }()

  /// A PNG with one row of colors.
  private static func png(
    _ colors: [[Double]], bits: Int, primaries: Int, transfer: Int, extra: [UInt8] = [],
    isFullRange: Bool = true, isInterlaced: Bool = false
  ) -> [UInt8] {
    let unit = Double(1 << bits) / 256
    let largest = Double((1 << bits) - 1)
    var rows: [UInt8] = []
    for color in colors.joined() {
      let value: Double = isFullRange ? color * largest : unit * (16 + 219 * color)
      let number = Int(value.rounded())
      if bits == 16 { rows.append(UInt8(number >> 8)) }
      rows.append(UInt8(number & 255))
    }
    let coding = PNGChunks.chunk(
      "cICP", [UInt8(primaries), UInt8(transfer), 0, isFullRange ? 1 : 0])
    return PNGFixture(
      width: colors.count, height: 1, bitDepth: UInt8(bits),
      colorType: colors[0].count == 4 ? 6 : 2, rows: rows, extra: coding + extra,
      isInterlaced: isInterlaced
    ).bytes
  }

  @Test(
    "cICP colors are converted like the reference",
    arguments: Transfer.allCases, [9, 11, 12])
  func colorsAreThoseOfTheReference(transfer: Transfer, primaries: Int) throws {
    for (bits, isFullRange, isInterlaced) in [
      (8, true, false), (16, true, false), (16, true, true), (16, false, false),
    ] {
      let file = Self.png(
        Self.lattice, bits: bits, primaries: primaries, transfer: transfer.rawValue,
        isFullRange: isFullRange, isInterlaced: isInterlaced)
      let image = try Image(decoding: file, name: "a.png")
      for (index, color) in Self.lattice.enumerated() {
        let wanted = ReferenceColors.sRGB(color, primaries: primaries, transfer: transfer)
        for channel in 0..<3 {
          // 8 bits of limited range have coarser steps. 16 bits are rounded only once.
          let found = Double(image.pixels[3 * index + channel])
          #expect(abs(found - wanted[channel]) < 0.6, "\(bits) \(color) \(channel)")
        }
      }
      #expect(image.metadata.colorNote?.contains("sRGB") == true)
    }
  }

  /// The colors are sRGB's red, green, blue and grays.
  @Test("sRGB colors written as Display P3 are read back") func colorsInsideSRGBComeBack() throws {
    let red = [0.917488, 0.200287, 0.138561]  // sRGB's red in Display P3: CSS Color 4.
    let file = Self.png(
      [red, [0.5, 0.5, 0.5], [1, 1, 1]], bits: 16, primaries: 12, transfer: 13)
    let image = try Image(decoding: file, name: "a.png")
    #expect(image.pixels == [255, 0, 0, 128, 128, 128, 255, 255, 255])
    #expect(image.metadata.colorNote == "its colors (Display P3) are converted to sRGB")
  }

  /// White looks white. Brighter light approaches a limit.
  @Test(
    "light is unchanged up to 0.8 of white", arguments: [nil, 400, 4000])
  func brightLightRollsOff(peak: Int?) throws {
    let light = peak.map { peak in
      PNGChunks.chunk("cLLI", [UInt8](bigEndian: UInt32(peak * 10_000)) + [0, 0, 0, 0])
    }
    func level(_ luminance: Double) throws -> Int {
      let number = ReferenceColors.pq(of: luminance)
      let file = Self.png(
        [[number, number, number]], bits: 16, primaries: 9, transfer: 16, extra: light ?? [])
      return Int(try Image(decoding: file, name: "a.png").pixels[0])
    }
    for share in [0.01, 0.18, 0.5, 0.8] {
      let wanted = 255 * (1.055 * pow(share, 1 / 2.4) - 0.055)
      #expect(try abs(level(203 * share) - Int(wanted.rounded())) <= 1)
    }
    #expect(try level(203) >= 235)
    let brightest = Double(peak ?? 1000)
    #expect(try level(brightest) == 255 && level(10_000) == 255)
    #expect(try level(brightest * 0.25) < 255)
  }

  @Test("a ramp of PQ or HLG rises by at most two levels per step", arguments: [Transfer.pq, .hlg])
  func rampsAreSmooth(transfer: Transfer) throws {
    let ramp: [[Double]] = (0..<1024).map { .init(repeating: Double($0) / 1023, count: 3) }
    let file = Self.png(ramp, bits: 16, primaries: 9, transfer: transfer.rawValue)
    let image = try Image(decoding: file, name: "a.png")
    let levels = (0..<1024).map { Int(image.pixels[3 * $0]) }
    for (low, high) in zip(levels, levels.dropFirst()) { #expect((0...2).contains(high - low)) }
    #expect(levels.first == 0 && levels.last == 255)
    // HLG's white is at .75.
    if transfer == .hlg { #expect((235..<255).contains(levels[767])) }
  }

  /// Roll-off multiplies all channels by one factor.
  @Test("roll-off keeps the ratios of color channels") func hueIsKept() throws {
    let colors: [[Double]] = [1.0, 2, 4].map { factor -> [Double] in
      [203.0, 101.5, 50].map { ReferenceColors.pq(of: $0 * factor) }
    }
    let file = Self.png(colors, bits: 16, primaries: 1, transfer: 16)
    let pixels = try Image(decoding: file, name: "a.png").pixels.map { SRGB.linear[Int($0)] }
    for index in 0..<3 {
      #expect(abs(pixels[3 * index + 1] / pixels[3 * index] - 0.5) < 0.01)
      #expect(abs(pixels[3 * index + 2] / pixels[3 * index] - 50 / 203) < 0.01)
    }
  }

  @Test("transparent PQ is drawn over white") func transparentPicturesAreDrawnOverWhite() throws {
    let gray = ReferenceColors.pq(of: 203 * 0.2140)  // 128
    for bits in [8, 16] {
      let colors: [[Double]] = [0, 0.4, 1].map { [gray, gray, gray, $0] }
      let file = Self.png(colors, bits: bits, primaries: 9, transfer: 16)
      let pixels = try Image(decoding: file, name: "a.png").pixels
      for (index, wanted) in [255, 204, 128].enumerated() {
        #expect(abs(Int(pixels[3 * index]) - wanted) <= (bits == 8 ? 3 : 1))
      }
    }
  }

  @Test("opacity mixes bytes with white and rounds once", arguments: [1, 12])
  func opacityIsRoundedOnce(primaries: Int) throws {
    for gray in [0, 1, 77, 128, 200, 255] {
      let opacities = [0, 1, 2, 100, 127, 128, 200, 253, 254, 255]
      let shares: [Double] = opacities.map { Double($0) / 255 }
      let file = Self.png(
        shares.map { [Double(gray) / 255, Double(gray) / 255, Double(gray) / 255, $0] }, bits: 8,
        primaries: primaries, transfer: 13)
      let pixels = try Image(decoding: file, name: "a.png").pixels
      for (index, share) in shares.enumerated() {
        // No result is halfway between two levels, since 255 is odd.
        let wanted = UInt8((Double(gray) * share + 255 * (1 - share)).rounded())
        #expect(pixels[3 * index] == wanted, "\(gray) of opacity \(opacities[index])")
      }
    }
  }

  /// > Source: ITU-R BT.2100-2, table 2.
  @Test("PQ and HLG without primaries use BT.2020", arguments: [Transfer.pq, .hlg])
  func highDynamicRangeWithoutPrimariesHasThoseOfBT2020(transfer: Transfer) throws {
    func image(_ primaries: Int) throws -> Image {
      try Image(
        decoding: Self.png(
          Self.lattice, bits: 16, primaries: primaries, transfer: transfer.rawValue), name: "a.png")
    }
    let (unspecified, wide) = (try image(2), try image(9))
    #expect(unspecified.pixels == wide.pixels)
    #expect(unspecified.metadata.colorNote == wide.metadata.colorNote)
    #expect(wide.metadata.colorNote?.contains("BT.2020") == true)
    #expect(try image(1).pixels != wide.pixels)
  }

  /// The unspecified primaries of standard-range curves are sRGB's primaries.
  @Test("linear light without primaries uses the primaries of sRGB")
  func linearLightWithoutPrimariesHasThoseOfSRGB() throws {
    func image(_ primaries: Int) throws -> Image {
      try Image(
        decoding: Self.png(Self.lattice, bits: 16, primaries: primaries, transfer: 8), name: "a.png"
      )
    }
    #expect(try image(2).pixels == image(1).pixels)
    #expect(try image(2).metadata.colorNote == "its colors (linear) are converted to sRGB")
  }

  @Test("sRGB codes and invalid cICP change no color") func otherCodesChangeNothing() throws {
    for (primaries, transfer) in [(1, 13), (1, 1), (2, 2), (6, 6), (0, 13)] {
      let file = Self.png(Self.lattice, bits: 8, primaries: primaries, transfer: transfer)
      let image = try Image(decoding: file, name: "a.png")
      let numbers: [Double] = Self.lattice.flatMap { $0 }
      let wanted: [UInt8] = numbers.map { UInt8(($0 * 255).rounded()) }
      #expect(image.pixels == wanted)
      #expect(image.metadata.colorNote == nil)
    }
    var file = PNGFixture(
      width: 1, height: 1, rows: [10, 120, 30], extra: PNGChunks.chunk("cICP", [9, 16, 9, 1]))
    #expect(try Image(decoding: file.bytes, name: "a").pixels == [10, 120, 30])
    file.extra = PNGChunks.chunk("cICP", [9, 16])
    #expect(try Image(decoding: file.bytes, name: "a").pixels == [10, 120, 30])
  }

  /// Curves that neither screens nor television use.
  ///
  /// > Source: ITU-T H.273, table 3.
  @Test(
    "unusual curves of H.273 are applied and named",
    arguments: [
      (4, "gamma 2.2"), (5, "gamma 2.8"), (8, "linear"), (9, "logarithmic, 100:1"),
      (10, "logarithmic, 316:1"), (17, "SMPTE ST 428-1"),
    ])
  func curvesAreApplied(transfer: Int, name: String) throws {
    let numbers = [0, 0.1, 0.25, 0.5, 0.8, 0.9]
    let grays: [[Double]] = numbers.map { [$0, $0, $0] }
    let image = try Image(
      decoding: Self.png(grays, bits: 16, primaries: 1, transfer: transfer), name: "a.png")
    for (index, number) in numbers.enumerated() {
      let light: Double =
        switch transfer {
        case 4: pow(number, 2.2)
        case 5: pow(number, 2.8)
        case 8: number
        case 9: number > 0 ? pow(10, (number - 1) * 2) : 0
        case 10: number > 0 ? pow(10, (number - 1) * 2.5) : 0
        default: pow(number, 2.6) * 52.37 / 48
        }
      let wanted = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
      #expect(abs(Double(image.pixels[3 * index]) - 255 * wanted) < 0.6, "\(number)")
    }
    #expect(image.metadata.colorNote == "its colors (\(name)) are converted to sRGB")
    let wide = try Image(
      decoding: Self.png(grays, bits: 8, primaries: 12, transfer: transfer), name: "a.png")
    #expect(wide.metadata.colorNote == "its colors (Display P3, \(name)) are converted to sRGB")
  }

  @Test("limited range is expanded") func limitedRangeIsExpanded() throws {
    let file = Self.png(
      [[0, 0.5, 1]], bits: 16, primaries: 1, transfer: 13, isFullRange: false)
    let image = try Image(decoding: file, name: "a.png")
    #expect(image.pixels == [0, 128, 255])
    #expect(image.metadata.colorNote == "its colors (limited range) are converted to sRGB")
  }

  @Test(
    "cICP takes precedence over profile and gAMA",
    arguments: [(1, 13), (1, 1), (12, 13), (9, 16), (1, 8)])
  func codesTakePrecedence(primaries: Int, transfer: Int) throws {
    let others =
      try ICCProfile.chunk(MadeUpProfile.displayP3)
      + PNGChunks.chunk("gAMA", [UInt8](bigEndian: UInt32(100_000)))
    func image(_ extra: [UInt8]) throws -> Image {
      try Image(
        decoding: Self.png(
          Self.lattice, bits: 8, primaries: primaries, transfer: transfer, extra: extra))
    }
    let (alone, beside) = (try image([]), try image(others))
    #expect(beside.pixels == alone.pixels)
    #expect(beside.metadata.iccProfile == nil)
    #expect(beside.metadata.colorNote == alone.metadata.colorNote)
  }

  @Test("unspecified codes keep the profile") func unspecifiedCodesLeaveTheProfile() throws {
    let profile = MadeUpProfile.displayP3
    let file = Self.png(
      [[0.1, 0.5, 0.9]], bits: 8, primaries: 2, transfer: 2, extra: try ICCProfile.chunk(profile))
    #expect(try Image(decoding: file).metadata.iccProfile == profile)
  }
}
