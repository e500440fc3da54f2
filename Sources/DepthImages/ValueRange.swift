import CDepthSIMD
package import SIMDKernels
import ThreadTeams

/// Smallest and largest value of a map and how many of its pixels say nothing.
package struct ValueRange: Sendable, Equatable {
  package var low, high: Float
  package var missing: Int

  package init(low: Float, high: Float, missing: Int) {
    (self.low, self.high, self.missing) = (low, high, missing)
  }
}

/// The range of the finite values of `x`; with `positive`, of the positive ones only.
///
/// - Returns: `nil` when no value counts.
package func valueRange(
  of x: [Float], positive: Bool, isa: InstructionSet = .current, threads: Int
) -> ValueRange? {
  let kernel = isa.kernels.pointee.pictures.value_range
  let grain = 1 << 16
  let chunks = (x.count + grain - 1) / grain
  let parts = [ValueRange](unsafeUninitializedCapacity: chunks) { parts, count in
    // Each chunk writes its own element of `parts` and reads its own part of `x`.
    nonisolated(unsafe) let parts = parts
    x.withUnsafeBufferPointer { x in
      nonisolated(unsafe) let x = x
      parallelFor(x.count, grain: grain, threads: threads) { range in
        guard let start = x.baseAddress else { return }
        var low: Float = 0
        var high: Float = 0
        var missing = 0
        kernel(range.count, positive, start + range.lowerBound, &low, &high, &missing)
        let part = ValueRange(low: low, high: high, missing: missing)
        (parts.baseAddress! + range.lowerBound / grain).initialize(to: part)
      }
    }
    count = chunks
  }
  let whole = parts.reduce(ValueRange(low: .infinity, high: -.infinity, missing: 0)) {
    ValueRange(
      low: min($0.low, $1.low), high: max($0.high, $1.high), missing: $0.missing + $1.missing)
  }
  return whole.low <= whole.high ? whole : nil
}
