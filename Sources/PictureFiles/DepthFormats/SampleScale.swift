import DepthImages

/// How 16-bit samples encode real numbers: `value = offset + scale · sample`, 0 for no value.
package struct SampleScale: Equatable {
  let offset, scale: Double

  /// Metres as whole millimetres.
  static let millimetres = SampleScale(offset: 0, scale: 0.001)
  /// The depth in metres from which a value exceeds the largest sample, 65 535 mm. Smaller depths round to at most that.
  package static let clippedFrom: Float = 65.5355

  /// Spreads `low…high` over the samples 1…65535.
  init(low: Double, high: Double) {
    scale = (high - low) / 65_534
    offset = low - scale
  }

  init(offset: Double, scale: Double) {
    (self.offset, self.scale) = (offset, scale)
  }

  /// The scale that a map of this unit is written with.
  ///
  /// - Parameter range: That of the map's values; `nil` if it has none.
  init(for unit: DepthMap.Unit, range: ValueRange?) {
    let (low, high) = (Double(range?.low ?? 0), Double(range?.high ?? 1))
    switch unit {
    case .metres: self = .millimetres
    case .disparity, .relativeDisparity: self.init(low: low, high: high)
    // All of 0…1 even where the map does not reach the ends: gray levels then mean what they show.
    case .normalized: self.init(low: min(0, low), high: max(1, high))
    }
  }

  func value(_ sample: UInt16) -> Float { Float(offset + scale * Double(sample)) }
}
