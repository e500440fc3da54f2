/// The temporal filter for maps of successive frames.
package enum TemporalSmoothing: String, CaseIterable, Codable, Sendable {
  /// ``TemporalDepthFilter`` with its defaults.
  case gated
  /// An exponential filter that neither locks the scale nor compares photos.
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
