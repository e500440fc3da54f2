extension StereoFormat {
  /// The endings of the files' names after the photo's name: suffix and extension, as
  /// ``StereoFile/ending`` will be.
  ///
  /// - Parameters:
  ///   - aspect: Width over height of the photo, which a quilt's name tells.
  ///   - output: How the files are written.
  public func endings(aspect: Double, output: StereoOutput) -> [String] {
    let fileExtension = requiredExtension ?? output.picture(for: self).1
    return suffixes(aspect: aspect).map { "\($0).\(fileExtension)" }
  }
}
