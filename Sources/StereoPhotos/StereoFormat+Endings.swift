extension StereoFormat {
  /// The endings of the names of this format's files: suffix and extension, equal to ``StereoFile/ending``.
  ///
  /// - Parameters:
  ///   - aspect: Width of the photo divided by its height, which is part of a quilt's name.
  ///   - output: How the files are written.
  public func endings(aspect: Double, output: StereoOutput) -> [String] {
    let fileExtension = requiredExtension ?? output.picture(for: self).1
    return suffixes(aspect: aspect).map { "\($0).\(fileExtension)" }
  }
}
