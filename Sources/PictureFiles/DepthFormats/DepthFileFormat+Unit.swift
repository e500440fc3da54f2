import AtomicFiles
import DepthErrors
public import DepthImages
import OpenEXRFiles

extension DepthFileFormat {
  /// Whether a file of the format says what its numbers mean, or they are metres, which is what
  /// every reader takes them for.
  ///
  /// A PFM has three lines of header and no room for a comment that readers would skip; NumPy
  /// refuses a header with another key than its three. In OpenEXR `Z` is a
  /// distance to every reader. Relative disparity, which other programs write in these formats too, has a mark by which this
  /// package knows it: in PFM the scale is written `-1.0e0`, in NumPy a comment follows the header's dictionary, and
  /// in OpenEXR the channel is `disparity`, with `depth:unit` as an attribute.
  public func canHold(_ unit: DepthMap.Unit) -> Bool {
    self == .png || unit == .metres || unit == .relativeDisparity
  }

  /// Fails as writing such a map would, so that nothing is computed in vain.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat` unless ``canHold(_:)``, and for ``exr`` in a
  ///   build without OpenEXR.
  public func check(_ unit: DepthMap.Unit) throws {
    if self == .exr, !OpenEXRChannel.isAvailable { throw DepthError.withoutOpenEXR(file: nil) }
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
    case .exr: "OpenEXR"
    }
  }
}
