internal import Kernels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension WeightedMap {
  /// About how many pixels the map takes to get from one side of its strong edges to the other, 1…8.
  ///
  /// The strongest changes over eight pixels divided by the strongest over one: a step has 1, a ramp as
  /// many as it is pixels wide. Networks blur differently and files may come from anywhere; this
  /// measures what a filter has to mend.
  ///
  /// - Parameter relative: Whether changes count as ratios; otherwise as differences.
  func edgeWidth(relative: Bool) -> Float {
    let near = strongChange(over: 1, relative: relative)
    let far = strongChange(over: 8, relative: relative)
    return near > 0 ? min(max(far / near, 1), 8) : 8
  }

  /// Mean of the largest 2 % of changes between pixels `distance` apart on rows and columns.
  private func strongChange(over distance: Int, relative: Bool) -> Float {
    // Sampled evenly: 2 % of some ten thousand changes are enough for a mean.
    let step = max(1, Int((Double(height * width) / 8192).squareRoot()))
    var changes: [Float] = []
    for y in stride(from: 0, to: height, by: step) {
      for x in stride(from: 0, to: width, by: step) {
        let p = y * width + x
        if x + distance < width { append(p, p + distance) }
        if y + distance < height { append(p, p + distance * width) }
      }
    }
    func append(_ p: Int, _ q: Int) {
      guard weights[p] > 0, weights[q] > 0 else { return }
      changes.append(relative ? abs(log(values[p] / values[q])) : abs(values[p] - values[q]))
    }
    changes.sort(by: >)
    let strongest = changes.prefix(max(1, changes.count / 50))
    return strongest.isEmpty ? 0 : strongest.reduce(0, +) / Float(strongest.count)
  }
}
