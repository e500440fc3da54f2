package import DepthBase

/// The smallest and largest value of a map, and the number of pixels without a value.
package struct ValueRange: Sendable, Equatable {
  package var low, high: Float
  package var missing: Int

  package init(low: Float, high: Float, missing: Int) {
    (self.low, self.high, self.missing) = (low, high, missing)
  }
}

/// The range of the finite values of `x`, or with `positive`, of the positive values.
///
/// - Returns: `nil` without valid values.
package func valueRange(
  of x: [Float], positive: Bool, isa: InstructionSet = .current, threads: Int
) -> ValueRange? {
  let kernels = PictureKernels(isa)
  let grain = 1 << 16
  let parts = parallelMap((x.count + grain - 1) / grain, threads: threads) { chunk in
    let range = chunk * grain..<min(x.count, (chunk + 1) * grain)
    return kernels.valueRange(of: x.span.extracting(range), positive: positive)
  }
  let whole = parts.reduce(ValueRange(low: .infinity, high: -.infinity, missing: 0)) {
    ValueRange(
      low: min($0.low, $1.low), high: max($0.high, $1.high), missing: $0.missing + $1.missing)
  }
  return whole.low <= whole.high ? whole : nil
}
