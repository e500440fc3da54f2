import DepthImages

/// The encoding of real numbers as 16-bit samples: `value = offset + scale · sample`, 0 for no value.
package struct SampleScale: Equatable {
  let offset, scale: Double

  /// Metres as whole millimetres.
  static let millimetres = SampleScale(offset: 0, scale: 0.001)
  /// The smallest depth in metres that exceeds the largest sample, 65 535 mm, after rounding.
  package static let clippedFrom: Float = 65.5355

  /// Spreads `low…high` over the samples 1…65535.
  init(low: Double, high: Double) {
    scale = (high - low) / 65_534
    offset = low - scale
  }

  init(offset: Double, scale: Double) {
    (self.offset, self.scale) = (offset, scale)
  }

  /// The scale for writing a map with this unit.
  ///
  /// - Parameter range: The range of the map's values; `nil` if it has none.
  init(for unit: DepthMap.Unit, range: ValueRange?) {
    let (low, high) = (Double(range?.low ?? 0), Double(range?.high ?? 1))
    switch unit {
    case .metres: self = .millimetres
    case .disparity, .relativeDisparity: self.init(low: low, high: high)
    // The range is the whole of 0…1 even if the map covers less, so that gray levels equal values.
    case .normalized: self.init(low: min(0, low), high: max(1, high))
    }
  }

  func value(_ sample: UInt16) -> Float { Float(offset + scale * Double(sample)) }
}
