import DepthEffects
import DepthErrors
import DepthImages
import Testing
import _TestSupport

/// Masks of a range equal their 64-bit definition: 1 inside, and a line over `soft` outside.
@Suite struct MaskRangeTests {
  private static let metres = [0, 0.5, 1.79, 1.9, 2, 3, 4, 4.05, 4.21, 9, .infinity, -1]

  private func reference(_ z: Double, _ from: Double?, _ to: Double?, soft: Double) -> Double {
    guard z > 0, z < .infinity else { return 0 }
    let outside = max((from ?? z) - z, z - (to ?? z), 0)
    return soft > 0 ? max(0, 1 - outside / soft) : outside > 0 ? 0 : 1
  }

  private func map(_ unit: DepthMap.Unit) -> DepthMap {
    DepthMap(
      height: 3, width: 4, unit: unit,
      values: Self.metres.map { Float(unit == .disparity && $0 > 0 ? 1 / $0 : $0) })
  }

  private let photo = MadeUpPictures.photo(height: 3, width: 4)

  @Test(
    "a mask of a range in metres is 1 inside",
    arguments: [DepthMap.Unit.metres, .disparity],
    [(2, 4, 0.2), (2, 4, 0), (2, 4, 1e-300), (nil, 4, 0.2), (2, nil, 0.5), (0, 1, 0)]
      as [(Double?, Double?, Double)])
  func metresAreThoseOfTheMap(unit: DepthMap.Unit, range: (Double?, Double?, Double)) throws {
    let masks = try [1, 3].map {
      try photo.focusMask(
        depth: map(unit),
        focus: .range(MaskRange(from: range.0, to: range.1, soft: range.2)), threads: $0)
    }
    #expect(masks[0] == masks[1])
    let expected = Self.metres.map { reference($0, range.0, range.1, soft: range.2) }
    expectClose(masks[0].values, expected, absolute: 1e-5)
  }

  /// Values increase with distance in some units and decrease in others.
  @Test(
    "shares of a range count from the farthest point",
    arguments: [
      DepthMap.Unit.relativeDisparity, .normalized(near: .white), .normalized(near: .black),
    ])
  func sharesCountFromTheFarthest(unit: DepthMap.Unit) throws {
    let shares: [Double] = [0, 0.25, 0.5, 0.75, 1]
    let map = DepthMap(
      height: 1, width: 5, unit: unit,
      values: shares.map {
        switch unit {
        case .relativeDisparity: Float(12 * $0 - 3)
        case .normalized(.black): Float(1 - $0)
        default: Float($0)
        }
      })
    let photo = MadeUpPictures.photo(height: 1, width: 5)
    func mask(_ range: MaskRange) throws -> [Float] {
      try photo.focusMask(depth: map, focus: .range(range)).values
    }
    #expect(try mask(MaskRange(from: 0.7, isShares: true)) == [0, 0, 0, 1, 1])
    #expect(try mask(MaskRange(to: 0.3, isShares: true)) == [1, 1, 0, 0, 0])
    #expect(
      try mask(MaskRange(from: 0.5, to: 0.75, soft: 0.5, isShares: true)) == [0, 0.5, 1, 1, 0.5])
    #expect(throws: DepthError.self) { try mask(MaskRange(from: 1, to: 2)) }
  }

  @Test("the chosen scaling enlarges a mask of a range")
  func sidesOfAMapAreEnlargedAsTheScalingSays() throws {
    let map = DepthMap(
      height: 12, width: 12, unit: .metres, values: (0..<144).map { $0 % 12 < 6 ? 1 : 3 })
    let large = MadeUpPictures.photo(height: 48, width: 48)
    let masks = try FocusMask.Scaling.allCases.map {
      try large.focusMask(
        depth: map, focus: .range(MaskRange(to: 2)), shape: FocusMask(scaling: $0))
    }
    #expect(masks[0] != masks[1] && masks.allSatisfy { $0.width == 48 })
    #expect(masks.allSatisfy { $0.values[2] == 1 && $0.values[45] == 0 })
  }

  @Test("an impossible range is refused") func impossibleRangesAreRefused() {
    func refusal(_ range: MaskRange, _ map: DepthMap) -> String {
      #expect(throws: DepthError.self) { try photo.focusMask(depth: map, focus: .range(range)) }?
        .description ?? ""
    }
    let map = map(.metres)
    #expect(refusal(MaskRange(from: 4, to: 2), map).contains("its beginning below its end"))
    #expect(refusal(MaskRange(to: 0), map).contains("its beginning below its end"))
    #expect(refusal(MaskRange(from: .nan), map).contains("0 to 100000.0"))
    #expect(refusal(MaskRange(from: -1), map).contains("0 to 100000.0"))
    #expect(
      refusal(MaskRange(from: 0.1, isShares: true), map).contains("since the depth has metres"))
    #expect(
      refusal(MaskRange(from: 20), map)
        == "the range is from 20.0 m, expected a part of 0.5 to 9.0 m, the range of the depth map")
    #expect(refusal(MaskRange(from: 0.1, to: 0.3), map).contains("a part of 0.5 to 9.0 m"))
  }
}
