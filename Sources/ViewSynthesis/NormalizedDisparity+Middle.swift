import DepthImages

extension NormalizedDisparity {
  /// The linear quantity at the photo's center: a median with the largest weights at the center.
  ///
  /// The median replaces iw3's salient-object mask (nunif pull request 600), because people place their
  /// subject near the center. Along both axes, the weight falls quadratically to zero at the frame. A
  /// background counts only if it fills most of the center.
  func middleDepth(_ values: [Float], height: Int, width: Int) -> Double {
    guard !isConstant else { return near }
    let rows = Self.samples(of: height)
    let columns = Self.samples(of: width)
    // Integer weights give a mirrored map the same sums.
    var histogram = [Int](repeating: 0, count: 1024)
    for (y, rowWeight) in rows {
      for (x, columnWeight) in columns {
        let depth = normalized(linear(values[y * width + x]))
        let bin = min(1023, max(0, Int(depth * 1024)))
        histogram[bin] += rowWeight * columnWeight
      }
    }
    let total = histogram.reduce(0, +)
    var sum = 0
    let median = histogram.firstIndex { weight in
      sum += weight
      return 2 * sum >= total
    }
    let depth = (Double(median ?? 0) + 0.5) / Double(histogram.count)
    return (depth - offset) / scale
  }

  /// At most 256 symmetric positions along a side, each with a weight.
  private static func samples(of side: Int) -> [(index: Int, weight: Int)] {
    func weight(_ distance: Int) -> Int { distance * distance }
    guard side > 256 else {
      return (0..<side).map { ($0, weight(1 + min($0, side - 1 - $0))) }
    }
    let half = (0..<128).map { (index: $0 * side / 256, weight: weight(1 + $0)) }
    return half + half.map { (side - 1 - $0.index, $0.weight) }
  }
}
