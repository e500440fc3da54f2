import DepthBase
import DepthImages
import SystemEssentials

extension WeightedMap {
  /// Approximate width in pixels of the map's strong edges, 1…8.
  ///
  /// The largest 2 % of all changes over eight pixels along rows and columns count as edges. Their mean is
  /// divided by the mean of the largest one-pixel change in each edge. The quotient is 1 for a step, and a
  /// ramp's width in pixels. Blur differs between networks and files; the width measures how much a filter
  /// must repair.
  ///
  /// - Parameters:
  ///   - relative: Whether changes are ratios instead of differences.
  ///   - threads: Number of threads, which does not affect the result.
  /// - Returns: 8 for a map without changes.
  func edgeWidth(relative: Bool, threads: Int = 1) -> Float {
    // Samples are spread evenly: 2 % of about ten thousand changes suffice for a mean.
    let stride = max(1, Int((Double(height * width) / 8192).squareRoot()))
    let levels = relative ? logarithms(threads: threads) : values
    let lines = parallelMap((height + stride - 1) / stride, threads: threads) { line in
      var changes: [(far: Float, near: Float)] = []
      let y = line * stride
      for x in Swift.stride(from: 0, to: width, by: stride) {
        let pixel = y * width + x
        if x + 8 < width, let change = change(in: levels, at: pixel, step: 1) {
          changes.append(change)
        }
        if y + 8 < height, let change = change(in: levels, at: pixel, step: width) {
          changes.append(change)
        }
      }
      return changes
    }
    let changes = lines.flatMap { $0 }
    guard !changes.isEmpty else { return 8 }
    let wanted = (changes.count + 49) / 50
    let smallest = sortedElement(of: changes.map { $0.far }, at: changes.count - wanted)
    let edges = changes.filter { $0.far >= smallest }.sorted { $0.far > $1.far }.prefix(wanted)
    let (far, near) = edges.reduce((0, 0)) { ($0.0 + $1.far, $0.1 + $1.near) }
    // Changes between the largest numbers are infinite, with a meaningless ratio.
    let ratio = far / near
    return near > 0 && !ratio.isNaN ? min(max(ratio, 1), 8) : 8
  }

  /// The logarithm of each value; 0 for no value.
  private func logarithms(threads: Int) -> [Float] {
    filledRows(height: height, width: width, grain: 16, threads: threads) { rows, out in
      let part = rows.lowerBound * width..<rows.upperBound * width
      let (values, weights) = (values.span.extracting(part), weights.span.extracting(part))
      for i in 0..<out.count { out[i] = weights[i] > 0 ? log(values[i]) : 0 }
    }
  }

  /// The change over eight steps, and the largest change over one of the steps; `nil` if a value is
  /// missing.
  private func change(in levels: [Float], at pixel: Int, step: Int) -> (far: Float, near: Float)? {
    var near: Float = 0
    for k in 0...8 {
      guard weights[pixel + k * step] > 0 else { return nil }
      if k > 0 { near = max(near, abs(levels[pixel + k * step] - levels[pixel + (k - 1) * step])) }
    }
    return (abs(levels[pixel + 8 * step] - levels[pixel]), near)
  }
}
