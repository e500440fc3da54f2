extension DepthMap {
  /// The middle one of the valid values, the upper one of two; `nil` when no pixel has a value.
  ///
  /// - Complexity: Two passes over the values and a sort of a small part of them: sorting twelve
  ///   million values would take longer than estimating them.
  public var median: Float? {
    guard let (low, high) = range else { return nil }
    guard high > low else { return low }
    let bins = 4096
    let scale = Float(bins - 1) / (high - low)
    // Subnormal or enormous ranges have no finite scale; then one bin holds everything.
    func bin(_ value: Float) -> Int {
      let position = (value - low) * scale
      return position.isFinite ? min(Int(position), bins - 1) : 0
    }
    var counts = [Int](repeating: 0, count: bins)
    for value in values where hasValue(value) { counts[bin(value)] += 1 }
    var before = 0
    let middle = counts.reduce(0, +) / 2
    for (index, count) in counts.enumerated() {
      if before + count > middle {
        return values.filter { hasValue($0) && bin($0) == index }.sorted()[middle - before]
      }
      before += count
    }
    return nil
  }
}
