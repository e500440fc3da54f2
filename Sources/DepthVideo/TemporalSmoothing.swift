/// How flicker is taken out of successive maps.
package enum TemporalSmoothing: String, CaseIterable, Codable, Sendable {
  /// ``TemporalDepthFilter`` with its defaults.
  case gated
  /// The same filter without the lock of the scale and without a look at the photo.
  case exponential
  case none

  package static let standard = TemporalSmoothing.gated

  /// `nil` leaves maps alone.
  var temporalFilter: TemporalDepthFilter? {
    switch self {
    case .gated: TemporalDepthFilter()
    case .exponential: .exponential
    case .none: nil
    }
  }
}
