import DepthErrors

/// The limits of a filter's settings. The settings are plain values, which the call that uses them
/// checks.
extension RefinementMethod {
  /// Accepted radii of the window, pixels.
  private static let radii = 0...1000
  /// Accepted standard deviations and tolerances. Smaller numbers have no effect; with larger
  /// numbers, a filter ignores all differences.
  private static let sigmas: ClosedRange<Float> = 1e-4...1e4

  /// - Throws: `DepthError` that names the setting.
  func check() throws {
    func radius(_ radius: Int) throws {
      try radius.checked(in: Self.radii, "the filter's radius", "0 to 1000 pixels")
    }
    func sigma(_ sigma: Float, _ name: String) throws {
      try sigma.checked(in: Self.sigmas, "the filter's \(name)", "0.0001 to 10000")
    }
    switch self {
    case .none: break
    case .bilateral(let filter):
      try radius(filter.radius)
      try sigma(filter.sigmaSpatial, "spatial sigma")
      try sigma(filter.sigmaRange, "range sigma")
    case .joint(let filter):
      try filter.passes.checked(in: 1...100, "the filter's number of passes", "1 to 100")
      try filter.sigmaSpatial?.checked(
        in: 1e-4...100, "the filter's spatial sigma", "0.0001 to 100 pixels of the map")
      try sigma(filter.sigmaRange, "range sigma")
      try sigma(filter.upsamplingSigma, "upsampling sigma")
      try filter.detail.checked(in: JointFilter.details, "the filter's detail", "0 to 1")
      try sigma(filter.edgeTolerance, "edge tolerance")
      try filter.sharpening?.checked(in: 0...100, "the filter's sharpening", "0 to 100")
      try filter.backProjection.checked(in: 0...100, "the filter's back-projection", "0 to 100")
    }
  }
}
