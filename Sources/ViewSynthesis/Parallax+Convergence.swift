extension Normalization {
  /// The depth of what the photo shows, as the linear quantity: half-way between
  /// the 10th and the 90th percentile, the middle of the photo counting most.
  ///
  /// A stand-in for iw3's salient-object mask (nunif pull request 600): people put their subject near
  /// the middle. The weight falls linearly to zero at the frame, in both directions.
  func subjectDepth(_ values: [Float], height: Int, width: Int) -> Double {
    guard !isConstant else { return near }
    let rows = Self.samples(of: height)
    let columns = Self.samples(of: width)
    // Whole-number weights, so that a mirrored map gives the same sums.
    var histogram = [Int](repeating: 0, count: 1024)
    for (y, rowWeight) in rows {
      for (x, columnWeight) in columns {
        let depth = normalized(linear(values[y * width + x]))
        let bin = min(1023, max(0, Int(depth * 1024)))
        histogram[bin] += rowWeight * columnWeight
      }
    }
    let total = histogram.reduce(0, +)
    func percentile(_ share: Double) -> Double {
      var sum = 0
      for (bin, weight) in histogram.enumerated() {
        sum += weight
        if Double(sum) >= share * Double(total) { return (Double(bin) + 0.5) / 1024 }
      }
      return 1
    }
    let middle = (percentile(0.1) + percentile(0.9)) / 2
    return (middle - offset) / scale
  }

  /// At most 256 places along a side, the same from both ends, and their weights.
  private static func samples(of side: Int) -> [(index: Int, weight: Int)] {
    guard side > 256 else {
      return (0..<side).map { ($0, 1 + min($0, side - 1 - $0)) }
    }
    let half = (0..<128).map { (index: $0 * side / 256, weight: 1 + $0) }
    return half + half.map { (side - 1 - $0.index, $0.weight) }
  }
}
