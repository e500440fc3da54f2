/// The temporal filter for maps of successive frames.
package enum TemporalSmoothing: String, CaseIterable, Codable, Sendable {
  /// ``TemporalDepthFilter`` with its defaults.
  case gated
  /// The same filter without the lock of the scale and without regard to the photo.
  case exponential
  case none

  package static let standard = TemporalSmoothing.gated

  /// The filter; `nil` for none.
  var temporalFilter: TemporalDepthFilter? {
    switch self {
    case .gated: TemporalDepthFilter()
    case .exponential: .exponential
    case .none: nil
    }
  }
}
