/// Computes tensors of the engine as sums and products of tensors in a MoGe-2 file.
///
/// The finest level is linear. A head's output at this level is a linear function of the head's and the neck's half-size maps:
/// a 3×3 convolution to four phases of 2 × 2 pixels, plus multiples of u and v and a bias. The folding is also exact at
/// borders. Bilinear upsampling by two with clamped sources turns a repeated border of the small map into a repeated border of
/// the large map.
struct MoGe2Folding {
  struct Tensor {
    let shape: [Int]
    let values: [Double]
  }

  let layout: MoGe2Layout
  /// Reads a source by the engine's name.
  let read: (String) throws -> [Double]

  /// Whether a source is part of a folded tensor instead of a tensor of the engine.
  static func isFolded(_ name: String) -> Bool {
    [".input_blocks.4/", ".resamplers.3.1/", ".output_blocks.4/"].contains { name.contains($0) }
      || name.hasPrefix("neck.input_blocks.")
  }

  /// - Throws: `DepthError` for an unreadable file.
  func tensors() throws -> [String: Tensor] {
    try viewPlane().merging(finest()) { $1 }
  }

  /// The neck's input convolutions, separately for the encoder's map and for u and v.
  private func viewPlane() throws -> [String: Tensor] {
    var tensors: [String: Tensor] = [:]
    for (level, channels) in layout.channels.dropLast().enumerated() {
      let kernel = try read("neck.input_blocks.\(level)/kernel")
      let row = kernel.count / channels
      func columns(_ range: Range<Int>) -> Tensor {
        Tensor(
          shape: [channels, range.count, 1, 1],
          values: (0..<channels).flatMap { output in range.map { kernel[output * row + $0] } })
      }
      tensors["neck.view.\(level)/kernel"] = columns(row - 2..<row)
      tensors["neck.view.\(level)/bias"] = Tensor(
        shape: [channels], values: try read("neck.input_blocks.\(level)/bias"))
      if level == 0 { tensors["neck.input_blocks.0/kernel"] = columns(0..<row - 2) }
    }
    return tensors
  }

  private func finest() throws -> [String: Tensor] {
    let (outputs, last) = (layout.outputs, layout.channels[4])
    let neckKernel = try read("neck.resamplers.3.1/kernel")
    let view = try read("neck.input_blocks.4/kernel")
    let neckBias = zip(
      try read("neck.resamplers.3.1/bias"), try read("neck.input_blocks.4/bias")
    ).map { $0 + $1 }
    var kernels: [String: [Double]] = ["neck": []]
    var (slopes, biases): ([Double], [Double]) = ([], [])
    var first = 0
    for (head, count) in layout.heads {
      let out = try read("\(head).output_blocks.4/kernel")
      let both = product(out, try read("\(head).input_blocks.4/kernel"), inner: last)
      let own = product(out, try read("\(head).resamplers.3.1/kernel"), inner: last)
      // The outputs of other heads have zero rows.
      let row = own.count / count
      kernels[head] =
        [Double](repeating: 0, count: first * row) + own
        + [Double](repeating: 0, count: (outputs - first - count) * row)
      kernels["neck", default: []] += product(both, neckKernel, inner: last)
      slopes += product(both, view, inner: last)
      let headBias = zip(
        try read("\(head).input_blocks.4/bias"), try read("\(head).resamplers.3.1/bias")
      ).map { $0 + $1 }
      let sums = zip(product(out, headBias, inner: last), product(both, neckBias, inner: last))
      biases += zip(try read("\(head).output_blocks.4/bias"), sums).map { $0 + $1.0 + $1.1 }
      first += count
    }
    var tensors = [
      "finest/kernel": Tensor(shape: [outputs, 2, 1, 1], values: slopes),
      "finest/bias": Tensor(shape: [outputs], values: biases),
    ]
    for (part, kernel) in kernels {
      tensors["finest.\(part)/kernel"] = Tensor(
        shape: [4 * outputs, layout.channels[3], 3, 3], values: phases(of: kernel))
    }
    return tensors
  }

  /// The matrix product of `rows × inner` and `inner × columns`.
  private func product(_ a: [Double], _ b: [Double], inner: Int) -> [Double] {
    let (rows, columns) = (a.count / inner, b.count / inner)
    var sums = [Double](repeating: 0, count: rows * columns)
    for row in 0..<rows {
      for k in 0..<inner {
        let factor = a[row * inner + k]
        for column in 0..<columns {
          sums[row * columns + column] += factor * b[k * columns + column]
        }
      }
    }
    return sums
  }

  /// The weights of bilinear upsampling by two, without border handling: the share of row −1, 0 or 1 of the small map in tap t
  /// of a kernel at phase p of the large map. The index is `(p · 3 + row + 1) · 3 + t`.
  private static let shares: [Double] = {
    var shares = [Double](repeating: 0, count: 18)
    for phase in 0..<2 {
      for tap in 0..<3 {
        let position = (Double(phase + tap - 1) + 0.5) / 2 - 0.5
        let low = position.rounded(.down)
        for (row, share) in [(Int(low), 1 - (position - low)), (Int(low) + 1, position - low)]
        where share > 0 {
          shares[(phase * 3 + row + 1) * 3 + tap] += share
        }
      }
    }
    return shares
  }()

  /// Converts kernels for the upsampled map to kernels for the small map, phase by phase.
  private func phases(of kernel: [Double]) -> [Double] {
    let planes = kernel.count / 9
    return (0..<4).flatMap { phase -> [Double] in
      let (down, across) = (phase / 2 * 9, phase % 2 * 9)
      return (0..<planes).flatMap { plane in
        (0..<9).map { place -> Double in
          var sum = 0.0
          for t in 0..<3 {
            for s in 0..<3 {
              sum +=
                Self.shares[down + place / 3 * 3 + t] * Self.shares[across + place % 3 * 3 + s]
                * kernel[plane * 9 + t * 3 + s]
            }
          }
          return sum
        }
      }
    }
  }
}
