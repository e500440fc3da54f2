/// The source pixels and weights that make up each pixel of a resized axis; pixel centers lie at ½.
package struct SampleTable: Sendable {
  package let first: [Int]
  /// `taps` weights for each pixel, of sum 1.
  package let weights: [Float]
  package let taps: Int
  /// Samples of the source; no window reaches beyond them.
  let length: Int

  private init(first: [Int], weights: [Float], taps: Int, length: Int) {
    (self.first, self.weights, self.taps, self.length) = (first, weights, taps, length)
  }

  private init(_ samples: [(first: Int, weights: [Double])], length: Int) {
    let taps = samples.reduce(1) { max($0, $1.weights.count) }
    var first: [Int] = []
    var weights: [Float] = []
    for sample in samples {
      // Windows are moved inside, so that a reader needs no bounds of its own.
      let start = max(0, min(sample.first, length - taps))
      var window = [Double](repeating: 0, count: taps)
      for (k, weight) in sample.weights.enumerated() {
        window[min(max(sample.first + k, 0), length - 1) - start] += weight
      }
      first.append(start)
      weights += window.map(Float.init)
    }
    self.init(first: first, weights: weights, taps: taps, length: length)
  }

  /// Linear interpolation between the two nearest centers; the border repeats.
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
        // Beyond the border, where the last sample repeats.
        weights += tap.first == 0 ? [1, 0] : [0, 1]
      } else {
        weights += [Float(1 - tap.share), Float(tap.share)]
      }
    }
    return SampleTable(first: first, weights: weights, taps: taps, length: length)
  }

  /// Mean over the stretch of source that a pixel covers; linear where the axis grows.
  package static func area(from length: Int, to count: Int) -> SampleTable {
    guard count < length else { return linear(from: length, to: count) }
    let scale = Double(length) / Double(count)
    let samples = (0..<count).map { i -> (Int, [Double]) in
      let (low, high) = (Double(i) * scale, Double(i + 1) * scale)
      let first = Int(low)
      let last = min(length - 1, Int(high.rounded(.up)) - 1)
      return (
        first,
        (first...last).map { (min(high, Double($0 + 1)) - max(low, Double($0))) / scale }
      )
    }
    return SampleTable(samples, length: length)
  }
}
