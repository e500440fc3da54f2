import DepthErrors

/// The libraries that read and write JPEG and PNG.
///
/// Compiled with the package's trait Codecs, which is a default. Without it, pictures come as pixels, depth maps are
/// written as PFM or NumPy files, and whatever needs a library throws
/// ``DepthErrors/DepthError/withoutCodecs(format:file:)``.
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
  /// The package was built without its trait Codecs.
  static func withoutCodecs(format: String, file: String?) -> DepthError {
    DepthError(
      .unsupportedFormat, file: file, "this build has no \(format), build with the trait Codecs")
  }
}
