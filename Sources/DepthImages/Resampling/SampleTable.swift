/// The source pixels and weights of each pixel of a resized axis; pixel centers are at ½.
package struct SampleTable: Sendable {
  package let first: [Int]
  /// `taps` weights per pixel, with sum 1.
  package let weights: [Float]
  package let taps: Int
  /// Number of source samples. All windows are inside the source.
  let length: Int

  /// Linear interpolation between the two nearest centers, with repeated borders.
  package static func linear(from length: Int, to count: Int) -> SampleTable {
    let taps = min(length, 2)
    var first: [Int] = []
    var weights: [Float] = []
    first.reserveCapacity(count)
    weights.reserveCapacity(count * taps)
    for i in 0..<count {
      let tap = LinearTap(at: LinearTap<Double>.place(of: i, from: length, to: count), of: length)
      first.append(max(0, min(tap.first, length - taps)))
      if length == 1 {
        weights.append(1)
      } else if tap.first == tap.second {
        // Beyond the border, the last sample repeats.
        weights += tap.first == 0 ? [1, 0] : [0, 1]
      } else {
        weights += [Float(1 - tap.share), Float(tap.share)]
      }
    }
    return SampleTable(first: first, weights: weights, taps: taps, length: length)
  }

  /// The mean over the part of the source under each pixel, or linear interpolation if the axis grows.
  package static func area(from length: Int, to count: Int) -> SampleTable {
    guard count < length else { return linear(from: length, to: count) }
    let scale = Double(length) / Double(count)
    let samples = (0..<count).map { i -> (first: Int, weights: [Double]) in
      let (low, high) = (Double(i) * scale, Double(i + 1) * scale)
      let first = Int(low)
      let last = min(length - 1, Int(high.rounded(.up)) - 1)
      return (
        first,
        (first...last).map { (min(high, Double($0 + 1)) - max(low, Double($0))) / scale }
      )
    }
    let taps = samples.reduce(1) { max($0, $1.weights.count) }
    // Windows beyond the border are shifted inside, so that loops need no bounds checks.
    let starts = samples.map { max(0, min($0.first, length - taps)) }
    var weights = [Float](repeating: 0, count: count * taps)
    for (i, sample) in samples.enumerated() {
      for (k, weight) in sample.weights.enumerated() {
        weights[i * taps + sample.first - starts[i] + k] = Float(weight)
      }
    }
    return SampleTable(first: starts, weights: weights, taps: taps, length: length)
  }
}
