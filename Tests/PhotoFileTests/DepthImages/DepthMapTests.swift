import DepthErrors
import DepthImages
import Testing

@Suite struct DepthMapTests {
  private func map(
    _ values: [Float], _ unit: DepthMap.Unit = .metres, height: Int = 1
  ) -> DepthMap {
    DepthMap(height: height, width: values.count / height, unit: unit, values: values)
  }

  /// Whether values are equal. NaN equals NaN.
  private func same(_ a: [Float], _ b: [Float]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN }
  }

  // MARK: - Metres and disparity

  @Test("subscript takes column and row of a pixel") func aPixelHasADepthOrNone() {
    let map = DepthMap(height: 2, width: 3, unit: .metres, values: [1, 2, 0, .nan, 5, -1])
    #expect(map[x: 1, y: 0] == 2 && map[x: 1, y: 1] == 5)
    #expect([(2, 0), (0, 1), (2, 1)].allSatisfy { map[x: $0.0, y: $0.1] == nil })
    let relative = DepthMap(height: 1, width: 1, unit: .relativeDisparity, values: [0])
    #expect(relative[x: 0, y: 0] == 0)
  }

  @Test("disparity is 1 / depth, or 0 for missing depth") func reciprocalsAndNoValues() throws {
    let metres = map([0.5, 2, 4, 0, -1, .nan, .infinity, -.infinity])
    #expect(try metres.inDisparity().values == [2, 0.5, 0.25, 0, 0, 0, 0, 0])
    #expect(try metres.inDisparity().unit == .disparity)
    #expect(try metres.inMetres().values == [0.5, 2, 4, 0, 0, 0, 0, 0], "missing values become 0")
    #expect(try metres.inDisparity().inMetres().values == metres.inMetres().values)
    #expect(try metres.inDisparity().inDisparity() == metres.inDisparity())
  }

  @Test("depth too small for 1 / depth is missing") func overflowingReciprocalIsMissing() throws {
    let metres = map([.leastNonzeroMagnitude, .greatestFiniteMagnitude, 1])
    let disparity = try metres.inDisparity()
    #expect(disparity.values[0] == 0 && disparity.values[2] == 1)
    #expect(disparity.hasValue(disparity.values[1]))
  }

  @Test("a normalized map cannot become metres or disparity", arguments: DepthMap.Polarity.allCases)
  func normalizedMapsHaveNoUnit(near: DepthMap.Polarity) {
    let picture = map([0.25, 1], .normalized(near: near))
    #expect(throws: DepthError.noUnit(for: "the conversion")) { try picture.inMetres() }
    #expect(throws: DepthError.noUnit(for: "the conversion")) { try picture.inDisparity() }
  }

  // MARK: - Range

  /// A loop that stops early misses extremes in the last row and column.
  @Test("range and normalization include the last pixel") func rangeSeesTheLastRow() throws {
    for place in [(low: 10, high: 11), (low: 11, high: 10), (low: 0, high: 11), (low: 11, high: 0)]
    {
      var values = [Float](repeating: 2, count: 12)
      values[place.low] = 0.5
      values[place.high] = 9
      let range = try #require(map(values, height: 3).range())
      #expect(range == (0.5, 9))
      let normalized = map(values, height: 3).normalized()
      #expect(normalized.values[place.low] == 1 && normalized.values[place.high] == 0)
    }
  }

  @Test("range counts 0 as a normalized value") func rangeSkipsMissingValues() throws {
    #expect(try #require(map([0, .nan, 3, -7, 2, .infinity]).range()) == (2, 3))
    #expect(map([0, .nan, -1]).range() == nil)
    let normalized = map([0, .nan, -1], .normalized(near: .white))
    #expect(try #require(normalized.range()) == (-1, 0), "a normalized map may hold zero")
  }

  // MARK: - Normalisation

  @Test("normalization uses disparity by default") func disparityIsStretchedByDefault() throws {
    // ½, 1 and ¼ are stretched over ¼…1.
    let metres = map([2, 1, 4])
    #expect(metres.normalized().values == [1 / 3, 1, 0])
    #expect(metres.normalized().unit == .normalized(near: .white))
    #expect(try metres.inDisparity().normalized() == metres.normalized())
  }

  @Test("normalization stretches metres on request") func metresOnRequest() throws {
    let metres = map([2, 1, 4])
    #expect(metres.normalized(over: .metres).values == [1 - 1 / 3 as Float, 1, 0])
    #expect(metres.normalized(near: .black, over: .metres).values == [1 / 3, 0, 1])
    #expect(try metres.inDisparity().normalized(over: .metres) == metres.normalized(over: .metres))
  }

  @Test("near-black polarity is 1 minus near-white polarity") func polarityTurnsOver() {
    let white = map([2, 1, 4]).normalized(near: .white)
    let black = map([2, 1, 4]).normalized(near: .black)
    #expect(black.unit == .normalized(near: .black))
    #expect(black.values == white.values.map { 1 - $0 })
    #expect(white.normalized(near: .black) == black)
    #expect(white.normalized(near: .white) == white)
  }

  @Test("a normalized map is stretched again to 0…1") func normalizedMapsAreStretchedAgain() {
    let part = map([0.25, 0.5, .nan, 0.75], .normalized(near: .black))
    #expect(same(part.normalized(near: .black).values, [0, 0.5, .nan, 1]))
    #expect(same(part.normalized(near: .white).values, [1, 0.5, .nan, 0]))
  }

  @Test("normalization keeps missing values NaN") func noValueNeverSpreads() {
    let metres = map([0, 1, .nan, 2, .infinity, -3])
    #expect(same(metres.normalized().values, [.nan, 1, .nan, 0, .nan, .nan]))
  }

  @Test(
    "a nearly constant map is normalized to 0.5",
    arguments: [0.001, 1, 3.7, 1e6] as [Float], [.disparity, .metres] as [DepthMap.Unit])
  func constantMapsAreHalf(value: Float, scale: DepthMap.Unit) {
    for near in DepthMap.Polarity.allCases {
      let values = map([value, value, 0, value]).normalized(near: near, over: scale).values
      #expect(same(values, [0.5, 0.5, .nan, 0.5]))
      // A difference of one ulp is rounding, not relief.
      let nearly = map([value, value.nextUp]).normalized(near: near, over: scale).values
      #expect(nearly == [0.5, 0.5])
    }
    #expect(map([0.3, 0.3], .normalized(near: .white)).normalized().values == [0.5, 0.5])
    #expect(map([0, 0], .normalized(near: .white)).normalized().values == [0.5, 0.5])
  }

  @Test("normalizing a map without values gives no values") func aMapWithoutValuesStaysWithout() {
    #expect(map([0, .nan, -1]).normalized().values.allSatisfy { $0.isNaN })
  }

  @Test("relief of 1 / 1000 is stretched to 0…1") func smallReliefIsNoConstant() {
    #expect(map([1, 1.001]).normalized().values == [1, 0])
  }
}
