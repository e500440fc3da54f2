import DepthErrors

/// The libraries that read and write JPEG and PNG.
///
/// The libraries require the package's trait Codecs, a default. Without this trait, only pixel arrays, PFM and
/// NumPy files are supported. Other formats throw ``DepthErrors/DepthError/withoutCodecs(format:file:)``.
enum Codecs {
  /// Whether this build reads and writes JPEG and PNG.
  static var areAvailable: Bool {
    #if Codecs
      true
    #else
      false
    #endif
  }
}

extension DepthError {
  /// The error of a build without the trait Codecs.
  static func withoutCodecs(format: String, file: String?) -> DepthError {
    DepthError(
      .unsupportedFormat, file: file, "this build has no \(format), build with the trait Codecs")
  }
}
