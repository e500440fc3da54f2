import DepthImages
import Testing

@testable import ProximityAlerts

/// The alert of an article on depth estimation, with corrected faults (``NearHalfRule``).
@Suite struct NearHalfRuleTests {
  /// The article's printed listing in 64-bit floats.
  private func asPrinted(_ heatmap: [Float], rows: Int, columns: Int) -> Double {
    let (w, h) = (rows, columns)  // shape[1] and shape[2]
    var converted = [[Double]](repeating: [Double](repeating: 0, count: w), count: h)
    var (minimum, maximum) = (Double.greatestFiniteMagnitude, -Double.greatestFiniteMagnitude)
    for i in 0..<w {
      for j in 0..<h {
        let confidence = Double(heatmap[i * h + j])
        guard confidence > 0 else { continue }
        converted[j][i] = confidence
        minimum = min(minimum, confidence)
        maximum = max(maximum, confidence)
      }
    }
    let ones = converted.joined().count { ($0 - minimum) / (maximum - minimum) >= 0.5 }
    return Double(ones) / Double(rows * columns)
  }

  private func map(_ value: (Int) -> Float) -> DepthMap {
    DepthMap(height: 128, width: 160, unit: .metres, values: (0..<20480).map(value))
  }

  /// The article counts far pixels. In a map of two depths, both shares sum to 1.
  @Test("the near share is 1 minus the article's share") func theShareIsTheNearHalf() {
    let third = map { $0 % 3 == 0 ? 1 : 4 }
    #expect(abs(NearHalfRule.share(of: third) - 1.0 / 3) < 1e-4)
    #expect(
      abs(NearHalfRule.share(of: third) + asPrinted(third.values, rows: 128, columns: 160) - 1)
        < 1e-9)
    // Disparity grows toward the viewer, as the article assumes.
    let disparity = DepthMap(
      height: 128, width: 160, unit: .disparity, values: third.values)
    #expect(
      NearHalfRule.share(of: disparity) == asPrinted(third.values, rows: 128, columns: 160))
  }

  @Test("pixels in the near half of the range count") func nearHalfCounts() {
    #expect(NearHalfRule.share(of: map { [1, 2, 3, 4][$0 % 4] }) == 0.5)
    #expect(NearHalfRule.share(of: map { [1, 2.5, 2.51, 4][$0 % 4] }) == 0.5)
    #expect(NearHalfRule.share(of: map { _ in 2 }) == 0)
    // Missing pixels count as zeros in the mean.
    #expect(NearHalfRule.share(of: map { [0, 1, 4, 4][$0 % 4] }) == 0.25)
  }

  @Test("an alert needs more than 35 % of near pixels") func alertsAbove35Percent() throws {
    var rule = ProximityRule()
    rule.kind = .nearHalf
    rule.enterTime = 0
    func alerts(_ nearPixels: Int) throws -> Bool {
      var monitor = ProximityMonitor(rule: rule, zones: ProximityZone.thirds)
      let events = try monitor.observe(map { $0 < nearPixels ? 1 : 4 }, at: 0)
      return events.map(\.zone) == ["picture"]
    }
    #expect(try !alerts(7168))  // exactly 35 %
    #expect(try alerts(7169))
  }
}
