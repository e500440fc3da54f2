import AtomicFiles
import DepthErrors
import OpenEXRFiles
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
  /// Metres as 32-bit floats in the channel `Z` of an OpenEXR file. Available if the package is built with its trait EXR.
  case exr

  /// The format of a file name's extension, in upper or lower case.
  ///
  /// - Throws: `DepthError` with code `unsupportedFormat`, also for `.exr` and `.png` in a build without their
  ///   libraries.
  public init(extensionOf url: URL) throws {
    guard let format = Self(rawValue: url.pathExtension.lowercased()) else {
      throw DepthError.unknownExtension(
        file: url.relativePath, expected: Self.inThisBuild.map { ".\($0.rawValue)" },
        found: url.pathExtension)
    }
    if format == .exr, !OpenEXRChannel.isAvailable {
      throw DepthError.withoutOpenEXR(file: url.relativePath)
    }
    if format == .png, !Codecs.areAvailable {
      throw DepthError.withoutCodecs(format: "PNG", file: url.relativePath)
    }
    self = format
  }

  /// The extensions of all formats.
  package static let extensions = allCases.map(\.rawValue)
  /// The extensions in a sentence.
  package static let anyExtension =
    extensions.dropLast().map { ".\($0)" }.joined(separator: ", ") + " or .\(extensions.last!)"

  /// All formats that this build writes.
  package static var inThisBuild: [Self] {
    allCases.filter {
      ($0 != .exr || OpenEXRChannel.isAvailable) && ($0 != .png || Codecs.areAvailable)
    }
  }
}
