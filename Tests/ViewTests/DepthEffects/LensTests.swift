import DepthBase
import DepthErrors
import DepthImages
import Testing

@testable import DepthEffects

/// The sizes of circles of confusion.
@Suite struct LensTests {
  private static let photo = Image(
    height: 240, width: 360, pixels: [UInt8](repeating: 9, count: 240 * 360 * 3))

  private static func disparity(_ low: Float, _ high: Float) throws -> Disparity {
    try Disparity(
      of: DepthMap(height: 1, width: 2, unit: .metres, values: [low, high]), threads: 1)
  }

  /// 50 mm at f/1.8 on 36 × 24 mm, with ten pixels per millimetre. The textbook gives the diameter
  /// on the sensor: `c = A · f / (Zf − f) · |Z − Zf| / Z`.
  @Test("circles of confusion follow the thin lens") func followsTheThinLensEquation() throws {
    let lens = Lens(.aperture(fNumber: 1.8, focalLength: 50, camera: .equivalent35mm(50)))
    let (near, far, focus) = (1.2, 4.0, 2.0)
    let found = try lens.pixelsPerDisparity(
      of: Self.photo, Self.disparity(Float(near), Float(far)), focus: 1 / focus)
    for distance in [near, far] {
      let focalLength = 0.05
      let diameter =
        focalLength / 1.8 * focalLength / (focus - focalLength) * abs(distance - focus) / distance
      // At focus Zf, the textbook's sensor is f² / (Zf − f) farther from the lens. The photo's
      // focal length in pixels is this distance of the sensor.
      let unmoved = diameter * (focus - focalLength) / focus
      let radius = found * abs(1 / distance - 1 / focus)
      #expect(abs(radius - unmoved / 2 * 10_000) < 1e-4 * radius)
    }
  }

  @Test("a lens uses the photo's focal length by default")
  func theLensHasThePhotosFocalLengthUnlessItHasItsOwn() throws {
    let disparity = try Self.disparity(1, 2)
    func pixels(_ amount: Lens.Amount) throws -> Double {
      try Lens(amount).pixelsPerDisparity(of: Self.photo, disparity, focus: 0.7)
    }
    let own = try pixels(.aperture(fNumber: 2, camera: .equivalent35mm(28)))
    #expect(
      try abs(own - pixels(.aperture(fNumber: 2, focalLength: 28, camera: .equivalent35mm(28))))
        < 1e-9)
    #expect(
      try abs(
        2 * own - pixels(.aperture(fNumber: 2, focalLength: 56, camera: .equivalent35mm(28))))
        < 1e-9
    )
    var photo = Self.photo
    photo.metadata.focalLengthIn35mmFilm = 28
    #expect(
      try Lens(.aperture(fNumber: 2)).pixelsPerDisparity(of: photo, disparity, focus: 0.7) == own)
  }

  @Test("a stated radius applies to the most blurred end of the range")
  func theRadiusIsThatOfTheMostBlurredEnd() throws {
    let disparity = try Self.disparity(1, 4)
    let found = try Lens(.radius(0.02)).pixelsPerDisparity(
      of: Self.photo, disparity, focus: 0.5)
    #expect(abs(found * 0.5 - 7.2) < 1e-6)
  }

  @Test("a wrong lens is refused with a reason") func badLensesAreRefused() throws {
    let disparity = try Self.disparity(0.3, 4)
    for (lens, part) in [
      (Lens(.radius(0.2)), "the blur's radius is 0.2, expected 0 to 0.1 of the width"),
      (Lens(.radius(.nan)), "the blur's radius is nan"),
      (Lens(blades: 2), "the number of blades is 2, expected 0 for a round aperture, or 3 to 16"),
      (Lens(blades: 17), "the number of blades is 17"),
      (Lens(rotation: .infinity), "the rotation is inf"),
      (Lens(.aperture(fNumber: 0, camera: .pixels(300))), "the f-number is 0.0"),
      (
        Lens(.aperture(fNumber: 2, focalLength: 0, camera: .pixels(300))),
        "the lens's focal length is 0.0"
      ),
      (
        Lens(.aperture(fNumber: 2)),
        "the photo's Exif has no focal length; give one, or an angle of view"
      ),
      (
        Lens(.aperture(fNumber: 0.7, focalLength: 200, camera: .pixels(300))),
        "the lens blurs a point over 36.7 % of the width, expected at most 10 %"
      ),
    ] {
      do {
        _ = try lens.pixelsPerDisparity(of: Self.photo, disparity, focus: 0.25)
        Issue.record("\(lens) was accepted")
      } catch let error as DepthError { #expect(error.message.contains(part), "\(error.message)") }
    }
    let bare = try Disparity(
      of: DepthMap(height: 1, width: 2, unit: .normalized(near: .white), values: [0, 1]), threads: 1
    )
    #expect(throws: DepthError.noUnit(for: "a real lens")) {
      try Lens(.aperture(fNumber: 2, camera: .pixels(300)))
        .pixelsPerDisparity(of: Self.photo, bare, focus: 0.5)
    }
  }

  /// A draft must look like the final photo.
  @Test("a photo of half the size is blurred over half the pixels")
  func aSmallerPhotoKeepsItsBlur() throws {
    let lens = Lens(fNumber: 2, focalLength: 50, camera: .pixels(300))
    let half = Image(height: 120, width: 180, pixels: [UInt8](repeating: 9, count: 120 * 180 * 3))
    let disparity = try Self.disparity(1, 2)
    let whole = try lens.pixelsPerDisparity(of: Self.photo, disparity, focus: 0.7)
    let draft = try lens.resized(from: 360, to: 180)
      .pixelsPerDisparity(of: half, disparity, focus: 0.7)
    #expect(abs(2 * draft - whole) < 1e-9 * whole)
  }

  /// A disc that is too large is limited, so that no frame ends a film.
  @Test("the blur of a film's frame is limited to 10 % of the width")
  func discsOfFramesHaveALimit() throws {
    let lens = Lens(.aperture(fNumber: 0.7, focalLength: 200, camera: .pixels(300)))
    let depth = DepthMap(
      height: 240, width: 360, unit: .metres,
      values: (0..<240 * 360).map { $0 % 360 < 60 ? 0.3 : $0 % 360 < 180 ? 2 : 4 })
    #expect(throws: DepthError.self) {
      try Self.photo.lensBlur(depth: depth, focus: .metres(4), lens: lens)
    }
    let limit = LensLimit()
    _ = try Self.photo.lensBlur(
      depth: depth, focus: .metres(4), lens: lens, limit: limit, call: CallContext(threads: 1))
    #expect(
      limit.note
        == "the lens blurs some points over more than 10 % of the width; they are blurred over 10 %"
    )
    let disparity = try Disparity(of: depth, threads: 1)
    let pixels = try lens.pixelsPerDisparity(of: Self.photo, disparity, focus: 0.25, limit: limit)
    let (limited, free) = (
      DefocusMap(of: depth, disparity, pixels: pixels, focus: 0.25, largest: 36, threads: 1),
      DefocusMap(of: depth, disparity, pixels: pixels, focus: 0.25, threads: 1)
    )
    func radius(_ map: DefocusMap, _ x: Int) -> Double { Double(map.levels[x]) * map.step }
    #expect(abs(radius(limited, 0) - 36) <= limited.step && radius(free, 0) > 100)
    #expect(abs(radius(limited, 100) - radius(free, 100)) <= limited.step + free.step)
    #expect(radius(limited, 300) == 0)
  }

  @Test("a lens within the limit gives no note") func aLensWithinTheLimitSaysNothing() throws {
    let limit = LensLimit()
    _ = try Lens(.aperture(fNumber: 16, camera: .pixels(300))).pixelsPerDisparity(
      of: Self.photo, Self.disparity(1, 4), focus: 0.5, limit: limit)
    #expect(limit.note == nil)
  }
}
