import DepthBase
import DepthErrors
public import SystemEssentials

/// The file formats of depth maps.
///
/// ```swift
/// let bytes = try depth.encoded(as: .pfm)  // 32-bit floats, metres
/// ```
public enum DepthFileFormat: String, Hashable, Sendable, CaseIterable {
  /// 16-bit gray with a unit. Requires the package trait Codecs, which is on by default.
  case png
  /// Metres as 32-bit floats, bottom row first, little-endian.
  case pfm
  /// Metres as 32-bit floats of shape `(height, width)`, NumPy format 1.0.
  case npy
  /// A NumPy archive with the map as 32-bit floats in `depth`, its unit as text in `unit`, and related
  /// arrays.
  case npz
  /// Metres as 32-bit floats in the channel `Z` of an OpenEXR file; write only.
  case exr

  /// The format of a file name's extension, in upper or lower case.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat`, also for `.png` in a build without codecs.
  public init(extensionOf url: URL) throws {
    try self.init(extensionOf: url, among: Self.allCases)
  }

  /// The readable formats.
  package static let readable = allCases.filter { $0 != .exr }
  /// The extensions of readable files.
  package static let extensions = readable.map(\.rawValue)
  /// The extensions of readable files, in a sentence.
  package static let anyExtension =
    extensions.dropLast().map { ".\($0)" }.joined(separator: ", ") + " or .\(extensions.last!)"

  /// All formats that this build writes.
  package static var inThisBuild: [Self] {
    allCases.filter { $0 != .png || Codecs.areAvailable }
  }
}
