import SystemEssentials

/// The input samples and weights of each output sample of a Lanczos-3 resampling.
struct LanczosWindows: Sendable {
  /// Number of input samples.
  let inputs: Int
  /// First input sample of each output sample's window.
  let starts: [Int]
  /// Number of samples in each window, 1…`taps`.
  let counts: [Int]
  /// Stride of the windows in `weights`.
  let taps: Int
  /// Weight `t` of output sample `i` at `i·taps + t`, in units of 1/2²². Weights after the window's end are
  /// zero.
  let weights: [Int32]

  /// - Precondition: both sizes are positive.
  init(from inputs: Int, to outputs: Int) {
    let scale = Double(inputs) / Double(outputs)
    let stretch = max(scale, 1)
    let support = 3 * stretch
    let taps = min(Int(support.rounded(.up)) * 2 + 1, inputs)
    var starts: [Int] = []
    var counts: [Int] = []
    var weights = [Int32](repeating: 0, count: outputs * taps)
    for i in 0..<outputs {
      let center = (Double(i) + 0.5) * scale
      let low = max(Int(center - support + 0.5), 0)
      let high = min(Int(center + support + 0.5), inputs)
      let window = (low..<high).map { lanczos3((Double($0) - center + 0.5) / stretch) }
      let sum = window.reduce(0, +)
      for (t, weight) in window.enumerated() {
        let fixed = weight / sum * 0x1p22
        weights[i * taps + t] = Int32(fixed + (fixed < 0 ? -0.5 : 0.5))
      }
      starts.append(low)
      counts.append(high - low)
    }
    (self.inputs, self.starts, self.counts) = (inputs, starts, counts)
    (self.taps, self.weights) = (taps, weights)
  }

  /// The weights, each repeated for the three channels, and each window padded with zeros to
  /// `pitch` values.
  func rgbWeights(pitch: Int) -> [Int32] {
    var tripled = [Int32](repeating: 0, count: starts.count * pitch)
    for i in starts.indices {
      for p in 0..<taps * 3 { tripled[i * pitch + p] = weights[i * taps + p / 3] }
    }
    return tripled
  }
}

/// sinc(t) · sinc(t/3) for |t| < 3, else 0.
private func lanczos3(_ t: Double) -> Double {
  guard t != 0 else { return 1 }
  guard t >= -3, t < 3 else { return 0 }
  let x = t * .pi
  return sin(x) / x * (sin(x / 3) / (x / 3))
}
