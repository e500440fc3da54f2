import DepthImages
import Testing

@testable import DepthGeometry

/// The rules for pixels beside an edge.
@Suite struct EdgeSnappingTests {
  private static let (height, width, middle) = (24, 40, 20)

  /// The center pixel of a band of ten columns between surfaces of disparity 0.3 and 1.
  ///
  /// - Parameters:
  ///   - own: The pixel's disparity.
  ///   - slope: The relative increase to the neighbor on the right.
  private func snapped(_ own: Float, slope: Float = 0, drops: Bool = false) -> Float {
    var disparity: [Float] = []
    var connections: [UInt8] = []
    for _ in 0..<Self.height {
      for x in 0..<Self.width {
        let isInBand = (Self.middle - 5..<Self.middle + 5).contains(x)
        let inside = own * (1 + slope * Float(x - Self.middle))
        disparity.append(isInBand ? inside : x < Self.middle ? 0.3 : 1)
        connections.append(x == Self.middle - 1 ? DepthSurface.connectsDown : 3)
      }
    }
    let band = EdgeBand(
      connections, disparity, height: Self.height, width: Self.width, reach: 5, threads: 1)
    let result = EdgeSnapping(height: Self.height, width: Self.width, reach: 5, drops: drops)
      .snapped(disparity, band: band, threads: 1)
    return result[Self.height / 2 * Self.width + Self.middle]
  }

  /// The slope at which five neighbors differ by `share` of the largest neighbor.
  private func slope(differing share: Float) -> Float { share / (4 - 2 * share) }

  @Test("a flat thing between two surfaces stays") func flatThingsBetweenSurfacesStay() {
    #expect(snapped(0.5) == 0.5)
    #expect(snapped(0.5, slope: slope(differing: 0.07)) == 0.5)
    #expect(snapped(0.5, slope: slope(differing: 0.09)) == 0.3)
  }

  /// Overshoots are flat in the middle.
  @Test("a flat overshoot moves to its surface") func flatThingsBeyondSurfacesMove() {
    #expect(snapped(1.2) == 1)
    #expect(snapped(0.25) == 0.3)
    #expect(snapped(1.2, drops: true) == 0)
  }

  @Test("a flat thing far from both surfaces stays") func thinThingsFarFromSurfacesStay() {
    #expect(snapped(3) == 3 && snapped(3, drops: true) == 3)
    #expect(snapped(3, slope: slope(differing: 0.05)) == 3)
    #expect(snapped(3, slope: slope(differing: 0.07)) == 0)
  }

  @Test("a steep pixel near a surface stays") func pixelsThatAgreeWithASurfaceStayWhereTheyAre() {
    let steep: Float = 0.1
    #expect(snapped(0.305, slope: steep) == 0.305)
    #expect(snapped(0.31, slope: steep) == 0.3)
    #expect(snapped(0.295, slope: steep) == 0.3)
    #expect(snapped(1.015, slope: steep, drops: true) == 1)
    #expect(snapped(1.03, slope: steep, drops: true) == 0)
  }

  /// Two walls would meet outside the map's depth range, but a level band cuts the corner off.
  @Test("snapping stays in the map's range of disparity", arguments: [Float(1), -1])
  func nothingLeavesTheRangeOfTheMap(direction: Float) {
    let disparity = (0..<Self.height * Self.width).map { i -> Float in
      let x = i % Self.width
      let away = max(Self.middle - 5 - x, x - Self.middle - 4, 0)
      return 0.5 - direction * 0.002 * Float(away)
    }
    let connections = disparity.indices.map {
      $0 % Self.width == Self.middle - 1 ? DepthSurface.connectsDown : 3
    }
    let band = EdgeBand(
      connections, disparity, height: Self.height, width: Self.width, reach: 5, threads: 1)
    let result = EdgeSnapping(height: Self.height, width: Self.width, reach: 5, drops: false)
      .snapped(disparity, band: band, threads: 1)
    #expect(result.min() == disparity.min() && result.max() == disparity.max())
  }

  /// In maps with unclean edges, points need three neighbors on the same surface.
  @Test("only pixels with three connected neighbors become points")
  func rimsAndLinesOfOnePixelAreNoPoints() throws {
    let truth = GeometryScenes.board(height: 96, width: 256)
    var values = truth.values
    for y in 0..<96 {
      for x in 1..<256 where abs(truth.values[y * 256 + x] - truth.values[y * 256 + x - 1]) > 0.05 {
        let (a, b) = (truth.values[y * 256 + x - 1], truth.values[y * 256 + x])
        (values[y * 256 + x - 1], values[y * 256 + x]) = (0.8 * a + 0.2 * b, 0.2 * a + 0.8 * b)
      }
    }
    let map = DepthMap(height: 96, width: 256, unit: .disparity, values: values)
    let surface = try DepthSurface(
      map, camera: GeometryScenes.camera(map), options: GeometryOptions(), threads: 2)
    try #require(surface.reach > 0)
    var counts: [Int: Int] = [:]
    var expected: [UInt32] = []
    for i in 0..<96 * 256 where surface.disparity[i] > 0 {
      let (bits, x) = (surface.connections, i % 256)
      let isConnected = [
        bits[i] & 1 != 0, bits[i] & 2 != 0, x > 0 && bits[i - (x > 0 ? 1 : 0)] & 1 != 0,
        i >= 256 && bits[i - (i >= 256 ? 256 : 0)] & 2 != 0,
      ]
      let count = isConnected.count { $0 }
      counts[count, default: 0] += 1
      if count >= 3 { expected.append(UInt32(i)) }
    }
    #expect(counts[2, default: 0] > 3 && counts[3, default: 0] > 100)
    // The comparison is outside `#expect`, whose message would contain all numbers.
    let isExpected = surface.pixels() == expected
    #expect(isExpected)
  }
}
