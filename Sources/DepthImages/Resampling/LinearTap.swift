/// The two samples around a position on an axis, for linear interpolation with repeated borders.
///
/// Pixel centers are at half-integers: sample `k` is at position `k`.
package struct LinearTap<Scalar: BinaryFloatingPoint & Sendable>: Sendable {
  /// The samples below and above the position, clamped to the axis.
  package let first, second: Int
  /// Weight of `second`, 0…1. The weight of `first` is 1 minus this weight.
  package let share: Scalar

  /// - Parameters:
  ///   - place: The position in samples, from the center of the first sample.
  ///   - count: Samples on the axis, at least 1.
  @inlinable @inline(__always)
  package init(at place: Scalar, of count: Int) {
    let floor = place.rounded(.down)
    let below = Int(floor)
    first = Swift.max(0, Swift.min(count - 1, below))
    second = Swift.max(0, Swift.min(count - 1, below + 1))
    share = place - floor
  }

  /// The position on the input axis of output sample `index`, for an axis resized from `inputs` to `outputs`:
  /// `(index + ½) · inputs / outputs − ½`, computed from left to right.
  @inlinable @inline(__always)
  package static func place(of index: Int, from inputs: Int, to outputs: Int) -> Scalar {
    (Scalar(index) + 0.5) * Scalar(inputs) / Scalar(outputs) - 0.5
  }
}

/// The input sample under the center of each of `count` output samples.
package func nearestSamples(_ count: Int, from inputs: Int) -> [Int] {
  (0..<count).map { min(inputs - 1, (2 * $0 + 1) * inputs / (2 * count)) }
}
