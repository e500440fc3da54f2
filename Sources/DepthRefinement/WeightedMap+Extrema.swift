extension WeightedMap {
  /// The largest value within `reach` pixels along rows and columns, and at least 0; weights do not matter.
  func maximum(within reach: Int) -> WeightedMap {
    with(extreme(of: values, within: reach, outside: 0) { max($0, $1) })
  }

  /// The smallest and the largest value within `reach` pixels along rows and columns, among pixels that have
  /// a value.
  func extrema(within reach: Int) -> (lowest: WeightedMap, highest: WeightedMap) {
    func masked(_ filler: Float) -> [Float] {
      hasMissing ? zip(values, weights).map { $1 > 0 ? $0 : filler } : values
    }
    let lowest = extreme(of: masked(.infinity), within: reach, outside: .infinity) { min($0, $1) }
    let highest = extreme(of: masked(-.infinity), within: reach, outside: -.infinity) {
      max($0, $1)
    }
    return (with(lowest), with(highest))
  }

  /// The most extreme of `numbers` in each window of `2·reach + 1` pixels a side, first along rows, then
  /// along columns.
  private func extreme(
    of numbers: [Float], within reach: Int, outside: Float, _ choose: (Float, Float) -> Float
  ) -> [Float] {
    var (across, both) = (numbers, numbers)
    for y in 0..<height {
      for x in 0..<width {
        var found = outside
        for i in max(x - reach, 0)...min(x + reach, width - 1) {
          found = choose(found, numbers[y * width + i])
        }
        across[y * width + x] = found
      }
    }
    for y in 0..<height {
      for x in 0..<width {
        var found = outside
        for j in max(y - reach, 0)...min(y + reach, height - 1) {
          found = choose(found, across[j * width + x])
        }
        both[y * width + x] = found
      }
    }
    return both
  }
}
