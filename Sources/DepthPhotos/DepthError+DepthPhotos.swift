package import DepthErrors

extension DepthError {
  /// The photo contains no depth in a supported format.
  package static func noEmbeddedDepth(file: String) -> DepthError {
    DepthError(
      .noDepth, file: file,
      "has no depth map (looked for GDepth, Dynamic Depth and an iPhone's depth picture)")
  }
}
