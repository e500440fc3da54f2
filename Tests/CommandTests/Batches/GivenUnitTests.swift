import DepthImages
import PictureFiles
import Testing

@testable import DepthCommands

/// Doubts about the unit of a depth file.
@Suite struct GivenUnitTests {
  /// The sky and single wrong pixels may be far; half of a photo is not.
  @Test(
    arguments: [
      ([2, 2, 2, 300], nil, false), ([2, 300, 300, 300], nil, true),
      ([2, 2, 250, 300, 300], nil, true),
      ([2, 150, 190, 190], nil, false), ([2, 2, 2, 30], .millimetre, false),
      ([2, 30, 30, 30], .millimetre, true), ([0, 0, 0, 300, 300], nil, true),
    ] as [([Float], StoredUnit?, Bool)])
  func halfOfTheMapIsFar(metres: [Float], unit: StoredUnit?, isDoubted: Bool) throws {
    let map = DepthMap(height: 1, width: metres.count, unit: .metres, values: metres)
    let doubt = GivenUnit(stored: unit).doubt(about: map, of: "d.pfm")
    #expect((doubt != nil) == isDoubted)
    guard isDoubted else { return }
    let median = try #require(map.median()).rounded()
    #expect(doubt?.hasPrefix("half of d.pfm is farther than \(Int(median)) m; ") == true)
    // Who gives the scale has no doubt.
    #expect(GivenUnit(stored: unit, isScale: true).doubt(about: map, of: "d.pfm") == nil)
  }
}
