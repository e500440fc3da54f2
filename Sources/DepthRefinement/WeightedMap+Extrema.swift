import DepthBase

extension WeightedMap {
  /// The largest value within `reach` pixels along rows and columns, but at least 0. Weights are ignored.
  func maximum(within reach: Int, threads: Int) -> WeightedMap {
    with(largest(of: values, within: reach, atLeast: 0, threads: threads))
  }

  /// The smallest and largest value within `reach` pixels along rows and columns, among pixels with a value.
  func extrema(within reach: Int, threads: Int) -> (lowest: WeightedMap, highest: WeightedMap) {
    func largest(sign: Float) -> [Float] {
      let signed = zip(values, weights).map { $1 > 0 ? sign * $0 : -.infinity }
      return self.largest(of: signed, within: reach, atLeast: -.infinity, threads: threads)
    }
    return (with(largest(sign: -1).map { -$0 }), with(largest(sign: 1)))
  }

  /// The largest of `numbers` in each window of `2·reach + 1` pixels per side, first along rows, then down
  /// columns.
  private func largest(
    of numbers: [Float], within reach: Int, atLeast least: Float, threads: Int
  ) -> [Float] {
    let (height, width) = (height, width)
    let across: [Float] = filledRows(height: height, width: width, grain: 32, threads: threads) {
      rows, out in
      out.forEachRow(rows, width: width) { y, out in
        let numbers = numbers.span.extracting(y * width..<(y + 1) * width)
        out.update(repeating: least)
        for dx in -min(reach, width - 1)...min(reach, width - 1) {
          let (first, count) = (max(0, -dx), width - abs(dx))
          out.withPart(first..<first + count) {
            raise(&$0, to: numbers.extracting(first + dx..<first + dx + count))
          }
        }
      }
    }
    return filledRows(height: height, width: width, grain: 32, threads: threads) { rows, out in
      out.forEachRow(rows, width: width) { y, out in
        out.update(repeating: least)
        for near in max(y - reach, 0)...min(y + reach, height - 1) {
          raise(&out, to: across.span.extracting(near * width..<(near + 1) * width))
        }
      }
    }
  }
}

/// Replaces each number by the corresponding number of `others` if that number is larger.
private func raise(_ numbers: inout MutableSpan<Float>, to others: Span<Float>) {
  precondition(others.count == numbers.count)
  for i in 0..<numbers.count { numbers[i] = max(numbers[i], others[i]) }
}
