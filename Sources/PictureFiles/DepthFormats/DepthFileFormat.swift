import DepthBase
import DepthErrors
public import SystemEssentials

/// The file formats of depth maps.
///
/// ```swift
/// let bytes = try depth.encoded(as: .pfm)  // 32-bit floats, metres
/// ```
public enum DepthFileFormat: String, Hashable, Sendable, CaseIterable {
  /// 16-bit gray; the file records its unit. Available if the package is built with its trait Codecs, as it is by default.
  case png
  /// Metres as 32-bit floats, bottom row first, little-endian.
  case pfm
  /// Metres as 32-bit floats of shape `(height, width)`, NumPy format 1.0.
  case npy
  /// A NumPy archive: the map as 32-bit floats in `depth`, its unit as text in `unit`, and what the program knows beside these.
  case npz
  /// Metres as 32-bit floats in the channel `Z` of an OpenEXR file, which is written and not read.
  case exr

  /// The format of a file name's extension, in upper or lower case.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat`, also for `.png` in a build without its
  ///   libraries.
  public init(extensionOf url: URL) throws {
    try self.init(extensionOf: url, among: Self.allCases)
  }

  /// The formats that are read.
  package static let readable = allCases.filter { $0 != .exr }
  /// The extensions of files that are read.
  package static let extensions = readable.map(\.rawValue)
  /// The extensions of files that are read, in a sentence.
  package static let anyExtension =
    extensions.dropLast().map { ".\($0)" }.joined(separator: ", ") + " or .\(extensions.last!)"

  /// All formats that this build writes.
  package static var inThisBuild: [Self] {
    allCases.filter { $0 != .png || Codecs.areAvailable }
  }
}
