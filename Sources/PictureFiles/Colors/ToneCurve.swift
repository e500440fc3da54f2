/// The roll-off of light that is brighter than a screen's white.
///
/// Light up to ``knee`` is unchanged. Above the knee, the slope decreases smoothly, and the brightest light becomes 1:
/// `knee + (1 − knee) · t (1 + t / p²) / (1 + t)`, where `t` and `p` are the light and the peak above the knee in units of
/// `1 − knee`.
///
/// > Source: E. Reinhard et al. "Photographic Tone Reproduction for Digital Images." SIGGRAPH 2002, equation 4.
struct ToneCurve: Sendable {
  /// Light relative to reference white up to which values are unchanged.
  static let knee: Float = 0.8
  /// Luminance of reference white in cd/m².
  ///
  /// > Source: ITU-R BT.2408-7, section 2.1.
  static let referenceWhite = 203.0
  /// The brightest light in cd/m² if a file does not specify it.
  static let usualPeak = 1000.0

  /// The reciprocal of the squared peak above the knee.
  private let shoulder: Float

  /// - Parameter peak: The brightest light in cd/m².
  /// - Returns: `nil` if nothing is brighter than white.
  init?(peak: Double) {
    let above = (Float(peak / Self.referenceWhite) - Self.knee) / (1 - Self.knee)
    guard above > 1 else { return nil }
    shoulder = 1 / (above * above)
  }

  /// - Parameter light: Light relative to reference white.
  /// - Returns: Light of at most 1.
  @inline(__always)
  func callAsFunction(_ light: Float) -> Float {
    guard light > Self.knee else { return light }
    let t = (light - Self.knee) / (1 - Self.knee)
    return min(1, Self.knee + (1 - Self.knee) * t * (1 + t * shoulder) / (1 + t))
  }
}
