import DepthImages
import MonocularDepth
import Testing

/// The confidence of each pixel.
@Suite struct ConfidenceTests {
  @Test("confidence is 1 minus expected error, at least 0") func confidenceIsOneMinusTheError() {
    let errors = ErrorMap(height: 1, width: 4, values: [0.05, 0.5, 1, 2.5])
    #expect(errors.confidence == [0.95, 0.5, 0, 0])
  }

  /// Values between pixel centers stay on the plane. Values at the map's edge are constant.
  @Test("a resized plane stays a plane", arguments: [(1, 1), (3, 2), (9, 14), (48, 7), (5, 7)])
  func aPlaneStaysAPlane(height: Int, width: Int) {
    let (rows, columns) = (5, 7)
    func plane(_ y: Double, _ x: Double) -> Double { 0.1 + 0.03 * y + 0.002 * x }
    let map = ErrorMap(
      height: rows, width: columns,
      values: (0..<rows * columns).map { Float(plane(Double($0 / columns), Double($0 % columns))) })
    let resized = map.resized(height: height, width: width)
    #expect(resized.height == height && resized.width == width)
    for y in 0..<height {
      for x in 0..<width {
        let row = (Double(y) + 0.5) * Double(rows) / Double(height) - 0.5
        let column = (Double(x) + 0.5) * Double(columns) / Double(width) - 0.5
        let expected = plane(
          min(max(row, 0), Double(rows - 1)), min(max(column, 0), Double(columns - 1)))
        #expect(abs(Double(resized.values[y * width + x]) - expected) < 1e-6)
      }
    }
  }

  @Test("pixels below the requested confidence have no value") func unsurePixelsHaveNoValue() {
    let errors = ErrorMap(height: 1, width: 2, values: [0.1, 0.3])
    let metres = DepthMap(height: 1, width: 4, unit: .metres, values: [1, 2, 3, 4])
    // The errors at the map's size are .1, .15, .25 and .3.
    #expect(metres.keeping(atLeast: 0.8, of: errors).values == [1, 2, 0, 0])
    #expect(metres.keeping(atLeast: 0.72, of: errors).values == [1, 2, 3, 0])
    #expect(metres.keeping(atLeast: 0, of: errors) == metres)
    let shares = DepthMap(height: 1, width: 2, unit: .normalized(near: .white), values: [0, 1])
    let kept = shares.keeping(atLeast: 0.8, of: errors)
    #expect(kept.values[0] == 0 && !kept.hasValue(kept.values[1]))
  }

  /// ¼ and 1 − ¼ are exact in binary.
  @Test("a pixel of exactly the least confidence stays") func pixelsOfTheLeastConfidenceStay() {
    let errors = ErrorMap(height: 1, width: 3, values: [0.25, 0.5, 0.125])
    let metres = DepthMap(height: 1, width: 3, unit: .metres, values: [1, 2, 3])
    #expect(metres.keeping(atLeast: 0.75, of: errors).values == [1, 0, 3])
    #expect(metres.keeping(atLeast: 0.5, of: errors).values == [1, 2, 3])
  }
}
