import ThreadTeams

extension WeightedMap {
  /// The largest value within `reach` pixels along rows and columns, and at least 0; weights do not matter.
  func maximum(within reach: Int, threads: Int) -> WeightedMap {
    with(largest(of: values, within: reach, atLeast: 0, threads: threads))
  }

  /// The smallest and the largest value within `reach` pixels along rows and columns, among pixels that have
  /// a value.
  func extrema(within reach: Int, threads: Int) -> (lowest: WeightedMap, highest: WeightedMap) {
    func largest(sign: Float) -> [Float] {
      let signed = zip(values, weights).map { $1 > 0 ? sign * $0 : -.infinity }
      return self.largest(of: signed, within: reach, atLeast: -.infinity, threads: threads)
    }
    return (with(largest(sign: -1).map { -$0 }), with(largest(sign: 1)))
  }

  /// The largest of `numbers` in each window of `2·reach + 1` pixels a side: first along rows, then down
  /// columns.
  private func largest(
    of numbers: [Float], within reach: Int, atLeast least: Float, threads: Int
  ) -> [Float] {
    let (height, width) = (height, width)
    let across = filledArray(count: height * width) { (out: UnsafeMutablePointer<Float>) in
      numbers.withUnsafeBufferPointer { numbers in
        guard let start = numbers.baseAddress else { return }
        // Each chunk writes only the rows it was given.
        nonisolated(unsafe) let (numbers, out) = (start, out)
        parallelFor(height, grain: 32, threads: threads) { rows in
          for start in rows.map({ $0 * width }) {
            (out + start).update(repeating: least, count: width)
            for dx in -min(reach, width - 1)...min(reach, width - 1) {
              let (first, count) = (max(0, -dx), width - abs(dx))
              raise(out + start + first, to: numbers + start + first + dx, count: count)
            }
          }
        }
      }
    }
    return filledArray(count: height * width) { (out: UnsafeMutablePointer<Float>) in
      across.withUnsafeBufferPointer { across in
        guard let start = across.baseAddress else { return }
        // Each chunk writes only the rows it was given.
        nonisolated(unsafe) let (across, out) = (start, out)
        parallelFor(height, grain: 32, threads: threads) { rows in
          for y in rows {
            (out + y * width).update(repeating: least, count: width)
            for near in max(y - reach, 0)...min(y + reach, height - 1) {
              raise(out + y * width, to: across + near * width, count: width)
            }
          }
        }
      }
    }
  }
}

/// Replaces each of `count` numbers by the one of `others` where that is larger.
private func raise(
  _ numbers: UnsafeMutablePointer<Float>, to others: UnsafePointer<Float>, count: Int
) {
  for i in 0..<count { numbers[i] = max(numbers[i], others[i]) }
}
