import DepthBase
import DepthErrors
package import DepthImages

extension DepthFileFormat {
  /// Returns whether the format can store maps with this unit unambiguously. PNG and `.npz` store every unit. The other formats
  /// store metres and relative disparity.
  ///
  /// PFM, `.npy` and OpenEXR have no unit field that all programs read, so their numbers count as metres. Other programs
  /// also write relative disparity. This package marks relative disparity: PFM spells the scale `-1.0e0`, `.npy` has a
  /// comment after the header's dictionary, and OpenEXR names the channel `disparity` and has the attribute `depth:unit`.
  package func canHold(_ unit: DepthMap.Unit) -> Bool {
    self == .png || self == .npz || unit == .metres || unit == .relativeDisparity
  }

  /// Throws, before a long computation, the error that writing a map with this unit would throw.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat` if ``canHold(_:)`` is false.
  package func check(_ unit: DepthMap.Unit) throws {
    guard !canHold(unit) else { return }
    let found = unit == .disparity ? "disparity" : "normalized"
    let formats = Self.inThisBuild.filter { $0.canHold(unit) }.map { ".\($0.rawValue)" }
    throw DepthError.unencodable(
      format: name,
      reason: "cannot record that a map is \(found) and would be read as metres, "
        + "expected \(formats.joined(separator: " or "))")
  }

  private var name: String {
    switch self {
    case .png: "PNG"
    case .pfm: "PFM"
    case .npy: "NumPy"
    case .npz: "NumPy archive"
    case .exr: "OpenEXR"
    }
  }
}
