import DepthImages
import Testing
import _TestSupport

@testable import DepthRefinement

@Suite struct MissingValueTests {
  static let holed = DepthMap(
    height: 6, width: 8, unit: .metres,
    values: (0..<48).map { i in
      switch i {
      case 18, 19, 26, 27: i == 18 ? .nan : 0
      case 47: -.infinity
      default: i % 8 < 4 ? 2 : 5
      }
    })

  @Test(
    "refinement keeps missing pixels missing",
    arguments: RefinementMethod.Name.allCases, [(30, 40), (6, 8), (100, 97), (5, 7)])
  func holesNeitherSpreadNorVanish(name: RefinementMethod.Name, size: (Int, Int)) throws {
    let refined = try Self.holed.refined(
      guidedBy: MadeUpPictures.photo(height: size.0, width: size.1), method: .init(name))
    for y in 0..<size.0 {
      for x in 0..<size.1 {
        let coarse = (2 * y + 1) * 6 / (2 * size.0) * 8 + (2 * x + 1) * 8 / (2 * size.1)
        let value = refined.values[y * size.1 + x]
        if Self.holed.hasValue(Self.holed.values[coarse]) {
          #expect(value >= 1.999 && value <= 5.001, "\(x), \(y)")
        } else {
          #expect(value == 0, "\(x), \(y)")
        }
      }
    }
  }

  @Test("filling gives each pixel a value in range", arguments: RefinementMethod.Name.allCases)
  func fillingGivesEveryPixelAValueFromAround(name: RefinementMethod.Name) throws {
    let refined = try Self.holed.refined(
      guidedBy: MadeUpPictures.photo(height: 30, width: 40), method: .init(name),
      fillsMissing: true)
    #expect(refined.values.allSatisfy { $0 >= 1.999 && $0 <= 5.001 })
  }

  /// Filled pixels should hardly affect measured pixels.
  @Test("filling changes measured pixels by under 0.5 %", arguments: RefinementMethod.Name.allCases)
  func fillingLeavesMeasuredPixels(name: RefinementMethod.Name) throws {
    let photo = Image(height: 6, width: 8, pixels: .init(repeating: 128, count: 6 * 8 * 3))
    func refined(fillsMissing: Bool) throws -> [Float] {
      try Self.holed.refined(guidedBy: photo, method: .init(name), fillsMissing: fillsMissing)
        .values
    }
    let (holed, filled) = (try refined(fillsMissing: false), try refined(fillsMissing: true))
    for index in Self.holed.values.indices where Self.holed.hasValue(Self.holed.values[index]) {
      #expect(abs(filled[index] - holed[index]) < 0.005 * holed[index], "\(index)")
    }
  }

  @Test("a filled pixel has 0.001 of a measured pixel's weight")
  func filledPixelsWeighNearlyNothing() {
    let weights: [Float] = (0..<16).map { [5, 6, 15].contains($0) ? 0 : 1 }
    let map = WeightedMap(
      height: 4, width: 4, values: (0..<16).map { $0 % 4 < 2 ? 2 : 5 }, weights: weights)
    let filled = map.filled()
    #expect(filled.weights == weights.map { $0 == 0 ? 1e-3 : 1 })
    #expect(filled.values.allSatisfy { (2...5).contains($0) })
  }

  @Test("filling follows the photo's colors") func fillingFollowsTheColors() throws {
    // A hole covers the edge of a dark panel. Each side gets the depth of its color.
    let width = 32
    let photo = Image(
      height: 24, width: width,
      pixels: (0..<24 * width * 3).map { $0 / 3 % width < 16 ? 200 : 30 })
    let map = DepthMap(
      height: 24, width: width, unit: .metres,
      values: (0..<24 * width).map { i in
        (10...13).contains(i / width) && (14...17).contains(i % width)
          ? 0 : i % width < 16 ? 4 : 1
      })
    let filled = try map.refined(guidedBy: photo, fillsMissing: true)
    for y in 10...13 {
      #expect(abs(filled.values[y * width + 14] - 4) < 0.1)
      #expect(abs(filled.values[y * width + 17] - 1) < 0.1)
    }
  }

  @Test(
    "refining a map without values gives no values",
    arguments: RefinementMethod.Name.allCases, [false, true])
  func aMapWithoutValuesStaysWithout(name: RefinementMethod.Name, fills: Bool) throws {
    let photo = MadeUpPictures.photo(height: 70, width: 60)
    let empty = DepthMap(height: 4, width: 5, unit: .metres, values: .init(repeating: 0, count: 20))
    let refined = try empty.refined(guidedBy: photo, method: .init(name), fillsMissing: fills)
    #expect(refined.values.allSatisfy { $0 == 0 })
    let picture = DepthMap(
      height: 4, width: 5, unit: .normalized(near: .white),
      values: .init(repeating: .nan, count: 20))
    let same = try picture.refined(guidedBy: photo, method: .init(name), fillsMissing: fills)
    #expect(same.values.allSatisfy { $0.isNaN })
  }
}
