import DepthImages
import Testing

@testable import MonocularDepth

/// The comparison of a given map in metres with the network's map of the photo.
@Suite struct MetresComparisonTests {
  /// Distances of 1 to 5 m.
  private static let network = DepthMap(
    height: 96, width: 128, unit: .metres,
    values: (0..<96 * 128).map { 1 + Float($0 % 128) / 64 + Float($0 / 128) / 48 })

  private func comparison(
    height: Int = 96, width: Int = 128, _ change: (Float) -> Float
  ) -> MetresComparison? {
    MetresComparison(
      DepthMap(height: 96, width: 128, unit: .metres, values: Self.network.values.map(change)),
      to: Self.network)
  }

  @Test(
    "a ratio of medians from 1/3 to 3 counts as one scale",
    arguments: [
      (1, true), (2.9, true), (3.1, false), (0.35, true), (0.32, false), (256, false),
    ])
  func theScaleIsThatOfTheMedians(factor: Float, isOne: Bool) throws {
    let comparison = try #require(comparison { $0 * factor })
    #expect(abs(comparison.ratio / Double(factor) - 1) < 1e-5)
    #expect(comparison.isOfOneScale == isOne && comparison.ranksAlike)
    #expect(comparison.agreement > 0.9999)
  }

  /// Large disparity is near, and large depth is far.
  @Test("disparity is recognized by its reversed ranks") func disparityHasReversedRanks() throws {
    let comparison = try #require(comparison { 10 + 30 / $0 })
    #expect(!comparison.ranksAlike && comparison.agreement < -0.99)
  }

  @Test("only cells with values in both maps are compared") func onlyCellsWithValuesCount() throws {
    let far = Self.network.values.enumerated().map { $0.offset % 128 < 64 ? 0 : $0.element }
    let half = DepthMap(height: 96, width: 128, unit: .metres, values: far)
    let comparison = try #require(MetresComparison(half, to: Self.network))
    #expect(abs(comparison.ratio - 1) < 1e-6 && comparison.agreement > 0.9999)
    let speck = Self.network.values.enumerated().map { $0.offset < 2 * 128 ? $0.element : 0 }
    #expect(
      MetresComparison(
        DepthMap(height: 96, width: 128, unit: .metres, values: speck), to: Self.network) == nil)
    let small = DepthMap(
      height: 3, width: 4, unit: .metres,
      values: (0..<12).map { 1.3 + Float($0 % 4) / 2 + Float($0 / 4) / 1.5 })
    #expect(try #require(MetresComparison(small, to: Self.network)).agreement > 0.9)
  }
}
