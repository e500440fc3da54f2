import Testing

@testable import DepthImages
@testable import PictureFiles

/// Focal lengths of photos, including photos that programs reduced.
@Suite struct FocalLengthTests {
  /// The 35 mm equivalent in millimetres, or `nil` if no focal length is reliable.
  private func length(_ exif: ExifFixture, _ width: Int, _ height: Int) -> ExifBlock.FocalLength? {
    ExifBlock(exif.bytes)?.focalLength(width: width, height: height)
  }

  private func canon(
    _ lens: UInt32, x: (UInt32, UInt32), y: (UInt32, UInt32), dimensions: (UInt32, UInt32)
  ) -> ExifFixture {
    ExifFixture(
      pixelDimensions: dimensions, lens: (lens, 1), focalPlaneX: x, focalPlaneY: y,
      focalPlaneUnit: 2)
  }

  /// Canon's fractions give the sensor's size even after a program resized the photo.
  @Test(
    "Canon's fractions give the focal length at every size",
    arguments: [(3888, 2592), (1024, 683), (640, 427), (100, 68), (68, 100)])
  func fractionsGiveTheSensorAtEverySize(width: UInt32, height: UInt32) throws {
    for (lens, x, y, expected) in [
      (135, (3_888_000, 876), (2_592_000, 583), 218.5),
      (85, (4_368_000, 1415), (2_912_000, 942), 85.2),
      (7, (2_272_000, 280), (1_704_000, 210), 34.1),
    ] as [(UInt32, (UInt32, UInt32), (UInt32, UInt32), Double)] {
      let exif = canon(lens, x: x, y: y, dimensions: (width, height))
      let found = try #require(length(exif, Int(width), Int(height)))
      #expect(found.isExact && abs(found.equivalent - expected) < 0.05, "\(found)")
    }
  }

  @Test("Canon's fractions take precedence over millimetres")
  func fractionsCountBeforeWholeMillimetres() throws {
    var exif = canon(135, x: (3_888_000, 876), y: (2_592_000, 583), dimensions: (100, 68))
    exif.focalLength = 216
    #expect(try #require(length(exif, 100, 68)).isExact)
  }

  /// A program may have changed the dimensions, on which the product depends.
  @Test("whole millimetres take precedence over lens and pixel pitch")
  func wholeMillimetresCountBeforeTheProduct() {
    let exif = ExifFixture(
      focalLength: 52, pixelDimensions: (1200, 800), lens: (35, 1),
      focalPlaneX: (4_000_000, 1_024), focalPlaneUnit: 3)
    #expect(length(exif, 1200, 800) == .init(equivalent: 52, isExact: false))
  }

  /// A sensor 23.5 mm wide has 6000 pixels at 255 per millimetre. Only the first two rows are
  /// plausible. Other rows have an implausible sensor, lens or aspect ratio.
  @Test(
    "lens times pixel pitch needs a plausible sensor and lens",
    arguments: [
      ("whole", (6000, 4000), (6000, 4000), 35, 255, 53.6),
      ("turned", (6000, 4000), (4000, 6000), 35, 255, 53.6),
      ("reduced to a sensor of 0.4 mm", (100, 67), (100, 67), 35, 255, nil),
      ("reduced to one of 3.1 mm", (800, 533), (800, 533), 35, 255, nil),
      ("a sensor of 120 mm", (6000, 4000), (6000, 4000), 90, 50, nil),
      ("another photo's proportions", (6000, 4000), (4000, 4000), 35, 255, nil),
      ("reduced to a lens of 107 mm", (3000, 2000), (3000, 2000), 35, 255, nil),
      ("a lens of 8 mm", (6000, 4000), (6000, 4000), 5, 255, nil),
    ]
      as [(String, (UInt32, UInt32), (Int, Int), UInt32, UInt32, Double?)])
  func productMustBePlausible(
    name: String, dimensions: (UInt32, UInt32), size: (Int, Int), lens: UInt32,
    resolution: UInt32, expected: Double?
  ) {
    let exif = ExifFixture(
      pixelDimensions: dimensions, lens: (lens, 1), focalPlaneX: (resolution, 1),
      focalPlaneUnit: 4)
    let found = length(exif, size.0, size.1)?.equivalent
    #expect(found.map { ($0 * 10).rounded() / 10 } == expected, "\(name): \(found as Any)")
  }

  /// Pixels are twice as high as wide, so the sensor does not have the photo's proportions.
  @Test("a sensor with proportions unlike the photo's is ignored")
  func sensorNeedsThePhotosProportions() {
    var exif = ExifFixture(
      pixelDimensions: (6000, 4000), lens: (35, 1), focalPlaneX: (255, 1), focalPlaneY: (255, 2),
      focalPlaneUnit: 4)
    #expect(length(exif, 6000, 4000) == nil)
    exif.focalPlaneY = (510, 2)
    #expect(length(exif, 6000, 4000) != nil)
  }

  /// Fractions that only resemble Canon's state a resolution: 6000 pixels across, 6350 per inch.
  @Test(
    "fractions unlike Canon's are a resolution",
    arguments: [
      ((6_350_000, 1000), (6_350_000, 1000)), ((6350, 1), (6350, 1)),
      ((6_350_500, 1000), (6_350_500, 1000)),
    ] as [((UInt32, UInt32), (UInt32, UInt32))])
  func otherFractionsAreAResolution(x: (UInt32, UInt32), y: (UInt32, UInt32)) throws {
    let exif = canon(35, x: x, y: y, dimensions: (6000, 4000))
    #expect(abs(try #require(length(exif, 6000, 4000)).equivalent - 52.5) < 0.1)
    // The focal length of a reduced photo is unknown.
    let small = canon(35, x: x, y: y, dimensions: (600, 400))
    #expect(length(small, 600, 400) == nil)
  }

  @Test("a photo's metadata has the exact focal length of its file")
  func metadataHasTheFocalLength() throws {
    let exif = canon(135, x: (3_888_000, 876), y: (2_592_000, 583), dimensions: (100, 68))
    let plain = TestPicture.smooth(height: 68, width: 100)
    let jpeg = try exif.inserted(into: plain.encoded(as: .jpeg()))
    let metadata = try Image(decoding: jpeg).metadata
    #expect(metadata.focalLengthIsExact)
    #expect(abs(try #require(metadata.focalLengthIn35mmFilm) - 218.5) < 0.05)
  }

  /// Inches are Exif's default. With centimetres, a 35 mm lens would become 89 mm.
  @Test("focal plane resolution without a unit is per inch")
  func withoutAUnitSensorsAreMeasuredInInches() throws {
    let exif = ExifFixture(pixelDimensions: (6000, 4000), lens: (35, 1), focalPlaneX: (4233, 1))
    let found = try #require(length(exif, 6000, 4000))
    #expect(found.isExact && abs(found.equivalent - 35) < 0.1, "\(found)")
  }

  /// Canon's fractions are in inches and for square pixels. Others would give a wrong sensor.
  @Test("fractions in centimetres or for oblong pixels are ignored")
  func fractionsOfOtherUnitsOrShapesAreNone() {
    var exif = canon(135, x: (3_888_000, 876), y: (2_592_000, 583), dimensions: (3888, 2592))
    exif.focalPlaneUnit = 3
    #expect(length(exif, 3888, 2592) == nil)
    let oblong = canon(135, x: (3_888_000, 876), y: (2_592_000, 300), dimensions: (3888, 2592))
    #expect(length(oblong, 3888, 2592) == nil)
  }
}
