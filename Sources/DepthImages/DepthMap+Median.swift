import DepthBase

extension DepthMap {
  /// The median of the valid values; for an even count, the larger of the two middle values. `nil` if no pixel has a value.
  ///
  /// - Complexity: Two passes over the values and a sort of a small part. Sorting all twelve million values of a large map
  ///   would take longer than estimating the map.
  public func median() -> Float? { median(threads: 1) }

  /// ``median()`` on several threads, whose number does not change the result.
  package func median(threads: Int) -> Float? {
    guard let range = valueRange(threads: threads) else { return nil }
    guard range.high > range.low else { return range.low }
    guard let bins = ValueBins(range) else {
      return values.filter(hasValue).sorted()[(values.count - range.missing) / 2]
    }
    let valid = unit.valuesWithDepth
    let grain = 1 << 18
    @Sendable func part(_ index: Int) -> Range<Int> {
      index * grain..<min(values.count, (index + 1) * grain)
    }
    let counts = parallelMap((values.count + grain - 1) / grain, threads: threads) { index in
      var counts = [UInt32](repeating: 0, count: ValueBins.count)
      let values = values.span.extracting(part(index))
      for i in 0..<values.count where valid.contains(values[i]) { counts[bins[values[i]]] += 1 }
      return counts
    }
    // The bin of the middle value, and the middle value's rank in the bin.
    var (bin, place) = (0, (values.count - range.missing) / 2)
    while case let count = counts.reduce(0, { $0 + Int($1[bin]) }), count <= place {
      place -= count
      bin += 1
    }
    var candidates: [Float] = []
    for (index, counts) in counts.enumerated() where counts[bin] > 0 {
      candidates += values[part(index)].filter { valid.contains($0) && bins[$0] == bin }
    }
    return candidates.sorted()[place]
  }
}

/// Divides a range of values into intervals of equal length.
private struct ValueBins: Sendable {
  static let count = 4096

  private let low, scale: Float

  /// `nil` for a range whose interval length is too large, too small or 0.
  init?(_ range: ValueRange) {
    low = range.low
    scale = Float(Self.count - 2) / (range.high - range.low)
    guard scale.isNormal, (range.high - range.low).isFinite else { return nil }
  }

  /// The interval of a value in the range. Larger values have the same or a higher interval.
  subscript(value: Float) -> Int {
    // Adding 2²³ leaves the nearest integer in the lowest bits.
    Int(((value - low) * scale + 8_388_608).bitPattern & UInt32(Self.count - 1))
  }
}
