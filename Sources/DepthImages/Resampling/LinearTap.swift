/// The two samples around a place on an axis, for linear interpolation; the border repeats.
///
/// Pixel centers lie at half-integers: sample `k` is at place `k`.
package struct LinearTap<Scalar: BinaryFloatingPoint & Sendable>: Sendable {
  /// Samples below and above the place, moved inside the axis.
  package let first, second: Int
  /// Weight of `second`, 0…1; `first` has the rest.
  package let share: Scalar

  /// - Parameters:
  ///   - place: In samples, from the center of the first one.
  ///   - count: Samples on the axis, at least 1.
  @inlinable @inline(__always)
  package init(at place: Scalar, of count: Int) {
    let floor = place.rounded(.down)
    let below = Int(floor)
    first = Swift.max(0, Swift.min(count - 1, below))
    second = Swift.max(0, Swift.min(count - 1, below + 1))
    share = place - floor
  }

  /// The place of output sample `index` of an axis resized from `inputs` to `outputs` samples on the
  /// input axis: `(index + ½) · inputs / outputs − ½`, computed from left to right.
  @inlinable @inline(__always)
  package static func place(of index: Int, from inputs: Int, to outputs: Int) -> Scalar {
    (Scalar(index) + 0.5) * Scalar(inputs) / Scalar(outputs) - 0.5
  }
}

/// For each of `count` output samples the input sample, of `inputs`, under its center.
package func nearestSamples(_ count: Int, from inputs: Int) -> [Int] {
  (0..<count).map { min(inputs - 1, (2 * $0 + 1) * inputs / (2 * count)) }
}
