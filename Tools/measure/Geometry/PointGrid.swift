/// Points in cells of a given size, to ask whether any of them is near.
struct PointGrid: Sendable {
  private let points: [SIMD3<Float>]
  private let low: SIMD3<Float>
  private let counts: SIMD3<Int32>
  private let radius: Float
  /// Where each cell's points begin; one more at the end.
  private let starts: [Int32]

  /// - Parameter radius: The distance that counts as near, metres; the side of a cell.
  init(_ points: [SIMD3<Float>], radius: Float) {
    var (low, high) = (SIMD3<Float>(repeating: .infinity), SIMD3<Float>(repeating: -.infinity))
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    // Points beyond the largest room are in the outermost cells.
    low = pointwiseMax(low, SIMD3(repeating: -12))
    high = pointwiseMin(high, SIMD3(repeating: 12))
    let counts = SIMD3<Int32>(pointwiseMax((high - low) / radius, .zero)) &+ 1
    let cells = points.map { Self.cell(of: Self.place($0, low, counts, radius), counts) }
    var starts = [Int32](repeating: 0, count: Int(counts.x) * Int(counts.y) * Int(counts.z) + 1)
    for cell in cells { starts[cell + 1] += 1 }
    for cell in 1..<starts.count { starts[cell] += starts[cell - 1] }
    var next = starts
    var sorted = points
    for (point, cell) in zip(points, cells) {
      sorted[Int(next[cell])] = point
      next[cell] += 1
    }
    (self.points, self.starts, self.low) = (sorted, starts, low)
    (self.counts, self.radius) = (counts, radius)
  }

  private static func place(
    _ point: SIMD3<Float>, _ low: SIMD3<Float>, _ counts: SIMD3<Int32>, _ radius: Float
  ) -> SIMD3<Int32> {
    let place = pointwiseMin(
      pointwiseMax((point - low) / radius, SIMD3(repeating: 0)), SIMD3(repeating: 1e4))
    return pointwiseMin(SIMD3<Int32>(place), counts &- 1)
  }

  private static func cell(of place: SIMD3<Int32>, _ counts: SIMD3<Int32>) -> Int {
    (Int(place.z) * Int(counts.y) + Int(place.y)) * Int(counts.x) + Int(place.x)
  }

  /// Whether a point of the grid is within the radius.
  func hasPoint(near point: SIMD3<Float>) -> Bool {
    let middle = Self.place(point, low, counts, radius)
    if hasPoint(near: point, in: middle) { return true }
    let (from, to) = (
      pointwiseMax(middle &- 1, .zero), pointwiseMin(middle &+ 1, counts &- 1)
    )
    for z in from.z...to.z {
      for y in from.y...to.y {
        for x in from.x...to.x where hasPoint(near: point, in: SIMD3(x, y, z)) { return true }
      }
    }
    return false
  }

  private func hasPoint(near point: SIMD3<Float>, in place: SIMD3<Int32>) -> Bool {
    let cell = Self.cell(of: place, counts)
    for i in Int(starts[cell])..<Int(starts[cell + 1]) {
      let difference = points[i] - point
      if (difference * difference).sum() <= radius * radius { return true }
    }
    return false
  }
}
