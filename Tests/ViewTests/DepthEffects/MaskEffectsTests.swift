import DepthEffects
import DepthErrors
import DepthImages
import Foundation
import Testing
import _TestSupport

/// Spotlight, color highlight, haze and masked blur equal their 64-bit formulas.
@Suite struct MaskEffectsTests {
  static func decoded(_ byte: UInt8) -> Double {
    let value = Double(byte) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  static func encoded(_ light: Double) -> Double {
    255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055)
  }

  private static let sizes = [(1, 1), (3, 5), (17, 33), (40, 70)]

  /// A photo with metadata, a map of the photo's size with gaps, and the mask.
  private static func scene(_ size: (Int, Int)) throws -> (Image, DepthMap, [Float]) {
    var photo = MadeUpPictures.photo(height: size.0, width: size.1)
    photo.metadata.focalLengthIn35mmFilm = 35
    var values = MadeUpPictures.values(size.0 * size.1).map { 1 + 3 * $0 }
    if values.count > 4 { values[3] = 0 }
    let depth = DepthMap(height: size.0, width: size.1, unit: .metres, values: values)
    return (photo, depth, try photo.focusMask(depth: depth, focus: .normalized(0.5)).values)
  }

  private static func expectBytes(_ picture: Image, _ photo: Image, _ expected: [Double]) {
    #expect(picture.metadata == photo.metadata)
    #expect((picture.height, picture.width) == (photo.height, photo.width))
    // The tolerance is half a step of rounding, plus a little for tables of light.
    expectClose(picture.pixels.map(Double.init), expected, absolute: 0.62)
  }

  @Test("spotlight is the photo times the mask", arguments: sizes)
  func spotlightIsPhotoTimesMask(size: (Int, Int)) throws {
    let (photo, depth, mask) = try Self.scene(size)
    let results = try [1, 3].map {
      try photo.spotlight(depth: depth, focus: .normalized(0.5), threads: $0)
    }
    #expect(results[0] == results[1])
    Self.expectBytes(
      results[0], photo,
      photo.pixels.indices.map { Double(photo.pixels[$0]) * Double(mask[$0 / 3]) })
  }

  @Test("color highlight mixes color and gray in linear light", arguments: sizes)
  func highlightMixesColorAndGrayInLinearLight(size: (Int, Int)) throws {
    let (photo, depth, mask) = try Self.scene(size)
    let results = try [1, 3].map {
      try photo.colorHighlight(depth: depth, focus: .normalized(0.5), threads: $0)
    }
    #expect(results[0] == results[1])
    let expected = photo.pixels.indices.map { i -> Double in
      let start = i / 3 * 3
      let luminance = zip([0.2126, 0.7152, 0.0722], photo.pixels[start..<start + 3])
        .reduce(0) { $0 + $1.0 * Self.decoded($1.1) }
      let share = Double(mask[i / 3])
      return Self.encoded(share * Self.decoded(photo.pixels[i]) + (1 - share) * luminance)
    }
    Self.expectBytes(results[0], photo, expected)
  }

  @Test("haze by density is exponential in metres", arguments: [DepthMap.Unit.metres, .disparity])
  func hazeFollowsTheDistanceInMetres(unit: DepthMap.Unit) throws {
    let photo = MadeUpPictures.photo(height: 9, width: 21)
    let metres = MadeUpPictures.values(9 * 21).map { 1 + 3 * $0 }
    let depth = DepthMap(
      height: 9, width: 21, unit: unit,
      values: unit == .metres ? metres : metres.map { 1 / $0 })
    let result = try photo.haze(depth: depth, density: 0.4, color: [200, 210, 255], threads: 2)
    let air = [200, 210, 255].map { Self.decoded($0) }
    let expected = photo.pixels.indices.map { i -> Double in
      let share = exp(-0.4 * Double(metres[i / 3]))
      return Self.encoded(Self.decoded(photo.pixels[i]) * share + air[i % 3] * (1 - share))
    }
    Self.expectBytes(result, photo, expected)
    #expect(try photo.haze(depth: depth, density: 0).pixels == photo.pixels)
    #expect(throws: DepthError.self) { try photo.haze(depth: depth, density: -1) }
    #expect(throws: DepthError.self) { try photo.haze(depth: depth.normalized()) }
  }

  /// The nearest point keeps its light. The farthest point loses the share `strength`.
  @Test(
    "haze by strength follows the order of distances",
    arguments: [
      DepthMap.Unit.metres, .disparity, .relativeDisparity, .normalized(near: .white),
      .normalized(near: .black),
    ])
  func hazeByStrengthFollowsTheOrder(unit: DepthMap.Unit) throws {
    let photo = MadeUpPictures.photo(height: 9, width: 21)
    var near = MadeUpPictures.values(9 * 21)
    (near[0], near[1]) = (0, 1)
    let depth = DepthMap(
      height: 9, width: 21, unit: unit,
      values: near.map { share in
        switch unit {
        case .metres: 1 / (0.25 + share)
        case .disparity: 0.25 + share
        case .relativeDisparity: 30 * share - 7
        case .normalized(.white): share
        case .normalized(.black): 1 - share
        }
      })
    let result = try photo.haze(
      depth: depth, strength: 0.7, color: [200, 210, 255], threads: 2)
    let air = [200, 210, 255].map { Self.decoded($0) }
    let expected = photo.pixels.indices.map { i -> Double in
      let share = pow(0.3, 1 - Double(near[i / 3]))
      return Self.encoded(Self.decoded(photo.pixels[i]) * share + air[i % 3] * (1 - share))
    }
    Self.expectBytes(result, photo, expected)
    #expect(try photo.haze(depth: depth, strength: 0).pixels == photo.pixels)
    for strength in [-0.1, 1.1, .nan] {
      #expect(throws: DepthError.self) { try photo.haze(depth: depth, strength: strength) }
    }
  }

  /// Haze by each frame's range would pulsate.
  @Test("haze by strength uses the held range of a film")
  func hazeByStrengthKeepsTheRangeOfAFilm() throws {
    let photo = MadeUpPictures.photo(height: 9, width: 21)
    var values = MadeUpPictures.values(9 * 21).map { 1 + $0 }
    func haze(held: DepthSpan?) throws -> [UInt8] {
      let depth = DepthMap(height: 9, width: 21, unit: .disparity, values: values)
      return try photo.haze(depth: depth, strength: 0.7, held: held, threads: 2).pixels
    }
    let held = try haze(held: DepthSpan(near: 4, far: 0.5))
    #expect(try held != haze(held: nil))
    (values[0], values[1]) = (0.5, 4)
    #expect(try held.dropFirst(6) == haze(held: nil).dropFirst(6))
  }

  @Test(
    "effects work with the smallest and largest depths",
    arguments: [DepthMap.Unit.metres, .disparity, .normalized(near: .white)])
  func extremeValuesEndNothing(unit: DepthMap.Unit) throws {
    let photo = MadeUpPictures.photo(height: 1, width: 6)
    let depth = DepthMap(
      height: 1, width: 6, unit: unit,
      values: [.leastNonzeroMagnitude, 1, 2, .greatestFiniteMagnitude, .infinity, 0])
    for focus in [0, 0.5, 1] {
      _ = try photo.spotlight(depth: depth, focus: .normalized(focus))
      _ = try photo.colorHighlight(depth: depth, focus: .normalized(focus))
      _ = try photo.lensBlur(depth: depth, focus: .normalized(focus))
      _ = try photo.maskedBlur(depth: depth, focus: .normalized(focus))
    }
    guard unit == .metres || unit == .disparity else { return }
    for density in [0, 1, 100.0] { _ = try photo.haze(depth: depth, density: density) }
  }

  /// Distances whose disparity overflows float32 count as one distance.
  @Test("haze of a single distance has half strength") func hazeOfTinyDepthsIsUniform() throws {
    let photo = MadeUpPictures.photo(height: 2, width: 3)
    let results = try [Float(1e-40), 1].map { metres in
      try photo.haze(
        depth: DepthMap(
          height: 2, width: 3, unit: .metres, values: Array(repeating: metres, count: 6)),
        strength: 0.5)
    }
    #expect(results[0] == results[1])
    // A single distance is the middle of the range, so haze has half strength, as in masks.
    let air = [214, 220, 226].map { Self.decoded($0) }
    Self.expectBytes(
      results[1], photo,
      photo.pixels.indices.map { i in
        let share = 0.5.squareRoot()
        return Self.encoded(Self.decoded(photo.pixels[i]) * share + air[i % 3] * (1 - share))
      })
  }

  @Test("the mask mixes the photo with a single Gaussian blur", arguments: sizes)
  func maskedBlurMixesOneGaussianByTheMask(size: (Int, Int)) throws {
    let (photo, depth, mask) = try Self.scene(size)
    let sigma = 0.1 * Double(photo.width) / 2
    let results = try [1, 3].map {
      try photo.maskedBlur(depth: depth, focus: .normalized(0.5), radius: 0.1, threads: $0)
    }
    #expect(results[0] == results[1])
    let reach = Int((3 * sigma).rounded(.up))
    let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let total = weights.reduce(0, +)
    let expected = photo.pixels.indices.map { i -> Double in
      let (y, x) = (i / 3 / photo.width, i / 3 % photo.width)
      var sum = 0.0
      for down in -reach...reach {
        for across in -reach...reach {
          let row = min(max(y + down, 0), photo.height - 1)
          let column = min(max(x + across, 0), photo.width - 1)
          let weight = weights[down + reach] * weights[across + reach] / (total * total)
          sum += weight * Self.decoded(photo.pixels[(row * photo.width + column) * 3 + i % 3])
        }
      }
      let share = Double(mask[i / 3])
      return Self.encoded(share * Self.decoded(photo.pixels[i]) + (1 - share) * sum)
    }
    Self.expectBytes(results[0], photo, expected)
  }
}
