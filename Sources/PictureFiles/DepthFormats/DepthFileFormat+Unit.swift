import DepthBase
import DepthErrors
package import DepthImages

extension DepthFileFormat {
  /// Whether the format can store maps of this unit without being misread. PNG and `.npz` store every unit; the other formats
  /// store metres and relative disparity.
  ///
  /// PFM, `.npy` and OpenEXR cannot record a unit that all programs read: a PFM header has no room for a comment, NumPy rejects
  /// unknown keys in the header of an array, and programs read the channel `Z` of OpenEXR as a distance. Their numbers are therefore taken as
  /// metres. Relative disparity, which other programs also write in these formats, gets a mark that this package recognizes: in PFM
  /// the scale is written `-1.0e0`, in `.npy` a comment follows the header's dictionary, and in OpenEXR the channel is `disparity`,
  /// with the attribute `depth:unit`.
  package func canHold(_ unit: DepthMap.Unit) -> Bool {
    self == .png || self == .npz || unit == .metres || unit == .relativeDisparity
  }

  /// Throws the error that writing a map of this unit would throw. Call it before a long computation.
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
