import DepthErrors
import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import MonocularDepth

/// Metres from one photo's relative disparity and metric map.
@Suite struct MetricFitTests {
  /// Quotients of small integers, which are equal in Swift and Python.
  private static func pattern(height: Int, width: Int, _ factor: Int) -> [Double] {
    (0..<height * width).map { index in
      let (x, y) = (index % width, index / width)
      let noise = Double((x * 7 + y * 13 + (x * y) % 11 * factor) % 97) / 97
      return Double(Float(noise + Double(2 * x + 3 * y) / Double(width + height)))
    }
  }

  private static let relative = DepthMap(
    height: 61, width: 83, unit: .relativeDisparity,
    values: pattern(height: 61, width: 83, 5).map { Float($0) * 3 - 1 })
  private static let metric = DepthMap(
    height: 128, width: 160, unit: .metres,
    values: pattern(height: 128, width: 160, 3).map { 4 / (0.4 + Float($0)) })
  private static let errors = ErrorMap(
    height: 128, width: 160,
    values: pattern(height: 128, width: 160, 1).map { Float(0.05 + 0.3 * $0 / 3) })

  private func comparison(
    _ relative: DepthMap = relative, metric: DepthMap = metric, errors: ErrorMap? = errors,
    within range: ClosedRange<Float>? = nil
  ) throws -> MetricComparison {
    try MetricComparison(relative, to: metric, errors: errors, widening: 1.1, within: range)
  }

  private func fit(_ comparison: MetricComparison) -> MetricFit {
    comparison.fit(to: comparison.scale)
  }

  /// The expected numbers are from NumPy by the published rule.
  @Test("the metric fit gives the numbers of the published rule") func equalsTheRule() throws {
    let weighted = fit(try comparison())
    #expect(abs(weighted.gain / 0.091476224 - 1) < 1e-6)
    #expect(abs(weighted.shift / 1.682957368 - 1) < 1e-6)
    #expect(abs(weighted.floor / 0.210647575 - 1) < 1e-6)
    #expect(abs(weighted.agreement - 0.894665903) < 1e-6 && weighted.isTrusted)
    let plain = fit(try comparison(errors: nil))
    #expect(abs(plain.gain / 0.091139001 - 1) < 1e-6)
    #expect(abs(plain.shift / 1.691831847 - 1) < 1e-6)
    let comparison = try comparison(within: 0.1...10)
    let map = comparison.metres(by: fit(comparison))
    #expect(map.unit == .metres)
    for (x, y, metres) in [(0, 0, 10), (40, 30, 1.539492553), (82, 60, 1.334802023)] {
      #expect(abs(Double(map.values[y * 83 + x]) - metres) < 1e-6)
    }
  }

  @Test(
    "gain and shift of relative disparity do not change fitted metres",
    arguments: [(3, 2), (0.01, -7), (250, 40)] as [(Float, Float)])
  func metresAreThoseOfAnyGainAndShift(gain: Float, shift: Float) throws {
    let moved = DepthMap(
      height: 61, width: 83, unit: .relativeDisparity,
      values: Self.relative.values.map { gain * $0 + shift })
    let (plain, other) = (try comparison(), try comparison(moved))
    let (map, same) = (plain.metres(by: fit(plain)), other.metres(by: fit(other)))
    expectClose(same.values, map.values, absolute: 0, relative: 1e-4)
    #expect(abs(fit(other).agreement - fit(plain).agreement) < 2e-3)
  }

  /// The range is in logarithms of depth.
  @Test("the fitted range is 1.1 times the range of the yardstick")
  func theRangeIsTheYardsticksWidened() throws {
    let comparison = try comparison()
    let scale = comparison.scale
    let map = comparison.metres(by: fit(comparison))
    let cells = MapGrid(map.values, height: 61, width: 83) { log(Double($0)) }.means
    let errors = MapGrid(
      Self.errors.values, height: 128, width: 160, Double.init
    ).means.map { 1 / ($0 * $0) }
    // The logarithm of a cell's mean is close to the mean of the pixels' logarithms.
    #expect(abs(cells.quantile(0.5, weights: errors) - scale.median) < 0.05)
    let span = cells.quantile(0.9, weights: errors) - cells.quantile(0.1, weights: errors)
    #expect(abs(span - 1.1 * (scale.near - scale.far)) < 0.12)
  }

  @Test("a map whose near and far are exchanged is not trusted") func theSignIsSeen() throws {
    let turned = DepthMap(
      height: 61, width: 83, unit: .relativeDisparity, values: Self.relative.values.map { -$0 })
    let (right, wrong) = (fit(try comparison()), fit(try comparison(turned)))
    #expect(abs(wrong.agreement + right.agreement) < 1e-9)
    #expect(right.isTrusted && !wrong.isTrusted && wrong.gain > 0)
  }

  @Test("a constant map gets the yardstick's median") func aConstantMapIsAtTheMedian() throws {
    let flat = DepthMap(
      height: 5, width: 7, unit: .relativeDisparity, values: [Float](repeating: 3, count: 35))
    let comparison = try comparison(flat, errors: nil)
    let fit = fit(comparison)
    let map = comparison.metres(by: fit)
    #expect(fit.agreement == 0 && !fit.isTrusted)
    #expect(Set(map.values).count == 1)
    let cells = MapGrid(Self.metric.values, height: 128, width: 160) { -log(Double($0)) }.means
    let median = exp(-cells.quantile(0.5, weights: cells.map { _ in 1 }))
    #expect(abs(Double(map.values[0]) / median - 1) < 1e-5)
  }

  /// A cell is ignored if less than half of its pixels are known.
  @Test("unknown pixels are ignored and stay unknown") func unknownPixelsDoNotCount() throws {
    var values = Self.relative.values
    for index in values.indices where index / 83 < 20 { values[index] = .nan }
    let holed = DepthMap(height: 61, width: 83, unit: .relativeDisparity, values: values)
    let comparison = try comparison(holed)
    let map = comparison.metres(by: fit(comparison))
    #expect(map.values[..<(20 * 83)].allSatisfy { $0 == 0 })
    #expect(map.values[(20 * 83)...].allSatisfy { $0 > 0 })
    // A yardstick without these rows gives equal numbers.
    var metres = Self.metric.values
    for index in metres.indices where index / 160 < 42 { metres[index] = 0 }
    let cut = DepthMap(height: 128, width: 160, unit: .metres, values: metres)
    let other = try self.comparison(holed, metric: cut)
    #expect(abs(fit(other).gain / fit(comparison).gain - 1) < 1e-3)
    let means = MapGrid(values, height: 61, width: 83) { Double($0) }.means
    // A cell is 61 / 48 rows high. Row 20 starts at 15.74 cells, so .26 of cell 15 is known.
    #expect(means[15 * 64].isNaN && !means[16 * 64].isNaN)
  }

  @Test("a fit needs at least 100 known cells") func fewCellsGiveNoFit() throws {
    var values = [Float](repeating: .nan, count: 48 * 64)
    for index in 0..<99 { values[index * 31] = Float(index) }
    let few = DepthMap(height: 48, width: 64, unit: .relativeDisparity, values: values)
    let error = try #require(throws: DepthError.self) { try comparison(few) }
    #expect(error.code == .noDepth && error.message.contains("99 of 3072 cells"))
    values[1] = 1
    let enough = DepthMap(height: 48, width: 64, unit: .relativeDisparity, values: values)
    _ = try comparison(enough)
  }

  @Test("fitted metres stay within their bounds") func metresKeepTheirBounds() throws {
    let comparison = try comparison(within: 1.2...1.5)
    let values = comparison.metres(by: fit(comparison)).values
    #expect(values.min() == 1.2 && values.max() == 1.5)
    // Without bounds, pixels beyond infinity still get a finite distance.
    let free = try self.comparison()
    #expect(free.metres(by: fit(free)).values.allSatisfy { $0 > 0 && $0.isFinite && $0 < 60 })
  }

  @Test(
    "a cell is the mean of its area with partial pixels",
    arguments: [(48, 64), (1, 1), (31, 200), (97, 33), (480, 640)])
  func cellsHaveTheMeansOfTheirAreas(height: Int, width: Int) {
    let values = Self.pattern(height: height, width: width, 2).map(Float.init)
    let means = MapGrid(values, height: height, width: width, Double.init).means
    let (rows, columns) = (MapGrid.rows, MapGrid.columns)
    for cell in stride(from: 0, to: rows * columns, by: 61) {
      var (sum, area) = (0.0, 0.0)
      for y in 0..<height {
        for x in 0..<width {
          func share(_ pixel: Int, _ cell: Int, _ pixels: Int, _ cells: Int) -> Double {
            let (start, end) = (
              Double(cell * pixels) / Double(cells), Double((cell + 1) * pixels) / Double(cells)
            )
            return max(0, min(end, Double(pixel + 1)) - max(start, Double(pixel)))
          }
          let weight =
            share(y, cell / columns, height, rows) * share(x, cell % columns, width, columns)
          sum += weight * Double(values[y * width + x])
          area += weight
        }
      }
      #expect(abs(means[cell] - sum / area) < 1e-6)
    }
  }

  @Test("weighted quantiles interpolate between the weights' centers") func weightsMoveQuantiles() {
    let values: [Double] = [5, 1, 3]
    // In ascending order of the values, the weights 1, 2, 1 have centers at .125, .5 and .875.
    #expect(values.quantile(0.5, weights: [1, 1, 2]) == 3)
    #expect(values.quantile(0, weights: [1, 1, 2]) == 1)
    #expect(values.quantile(1, weights: [1, 1, 2]) == 5)
    #expect(abs(values.quantile(0.3125, weights: [1, 1, 2]) - 2) < 1e-12)
  }

  @Test("equal values share their rank") func equalValuesShareTheirRank() {
    #expect(([1, 2, 2, 4] as [Double]).rankCorrelation(with: [10, 20, 20, 40]) == 1)
    // The ranks are 0, 1.5, 1.5, 3 and 3, 1.5, 1.5, 0.
    #expect(([1, 2, 2, 4] as [Double]).rankCorrelation(with: [9, 2, 2, 1]) == -1)
    #expect(([1, 1, 1] as [Double]).rankCorrelation(with: [1, 2, 3]) == 0)
  }
}
