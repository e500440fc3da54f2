import DepthErrors
import Testing

@testable import DepthImages
@testable import DepthPhotos

/// The near end, far end and unit in Google's formats.
@Suite struct DepthCodeTests {
  private static let numbers = DepthMap(
    height: 1, width: 3, unit: .normalized(near: .black), values: [0, 0.5, 1])

  private static func depth(
    _ format: String, near: String, far: String, unit: String?
  ) throws -> EmbeddedDepth {
    try DepthCode(
      format: format, near: near, far: far, unit: unit, file: "a.jpg", container: "GDepth"
    ).depth(numbers)
  }

  private static func areClose(_ map: DepthMap, _ wanted: [Float]) -> Bool {
    zip(map.values, wanted).allSatisfy { abs($0 - $1) <= 1e-5 * $1 }
  }

  /// Dioptres decrease with distance: 2 to 0.25 dioptres are 0.5 to 4 m.
  @Test("near and far in dioptres become metres", arguments: ["RangeInverse", "rangeinverse"])
  func dioptresBecomeMetres(format: String)
    throws
  {
    let found = try Self.depth(format, near: "2", far: "0.25", unit: "Diopters")
    #expect(found.map.unit == .metres && found.note == nil)
    // The middle code is halfway in disparity, at 1.125 dioptres.
    #expect(Self.areClose(found.map, [0.5, 1 / 1.125, 4]))
    let linear = try Self.depth("RangeLinear", near: "2", far: "0.25", unit: "Diopters")
    #expect(Self.areClose(linear.map, [0.5, 2.25, 4]))
  }

  /// 0 dioptres are infinitely far, which is a missing value.
  @Test("a far end of 0 dioptres is missing") func farMayBeInfinite() throws {
    let found = try Self.depth("RangeInverse", near: "2", far: "0", unit: "Diopters")
    #expect(found.map.unit == .metres && Self.areClose(found.map, [0.5, 1, 0]))
    #expect(throws: DepthError.self) {
      try Self.depth("RangeLinear", near: "2", far: "0", unit: "Diopters")
    }
  }

  /// Pixel phones write dioptres that grow with distance, although code 0 is near.
  @Test(
    "dioptres that grow with distance give relative depth",
    arguments: ["RangeInverse", "rangeinverse", "RangeLinear"])
  func exchangedDioptresAreAnOrder(format: String) throws {
    let found = try Self.depth(format, near: "0.08636", far: "0.129485", unit: "Diopters")
    #expect(found.map == Self.numbers)
    #expect(
      found.note
        == "the depth inside the photo is relative: its near end has 0.08636 dioptres, its far end 0.129485"
    )
  }

  @Test("depth codes without a unit give relative depth") func metresAndUnknownUnits() throws {
    let metres = try Self.depth("RangeInverse", near: "0.5", far: "4", unit: "Meters")
    #expect(metres.map.unit == .metres && Self.areClose(metres.map, [0.5, 1 / 1.125, 4]))
    let unknown = try Self.depth("RangeInverse", near: "0.5", far: "4", unit: nil)
    #expect(unknown.map == Self.numbers && unknown.note == nil)
    for (near, far, unit) in [("4", "0.5", "m"), ("1", "1", "Diopters"), ("-1", "1", "Diopters")] {
      let error = #expect(throws: DepthError.self) {
        try Self.depth("RangeInverse", near: near, far: far, unit: unit)
      }
      #expect(error?.message.contains("near and far do not span a range") == true)
    }
  }

  /// A distance cannot be 0, so the numbers give only an order.
  @Test("a near end of 0 without unit gives relative depth") func nearZeroIsRelative() throws {
    #expect(try Self.depth("RangeLinear", near: "0", far: "255", unit: nil).map == Self.numbers)
  }

  @Test("a pixel without depth is written as far") func missingDepthIsFar() throws {
    let map = DepthMap(height: 1, width: 3, unit: .metres, values: [1, 0, 4])
    let code = try #require(DepthCode(spanning: map))
    #expect(try code.samples(of: map) == [0, .max, .max])
  }
}
