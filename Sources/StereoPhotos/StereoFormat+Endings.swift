extension StereoFormat {
  /// The endings of the names of this format's files: suffix and extension, equal to ``StereoFile/ending``.
  ///
  /// - Parameters:
  ///   - aspect: Width of the photo divided by its height, which is part of a quilt's name.
  ///   - output: How the files are written.
  public func endings(aspect: Double, output: StereoOutput) -> [String] {
    suffixes(aspect: aspect).map { "\($0).\(fileExtension(output: output))" }
  }

  /// The extension of this format's files.
  package func fileExtension(output: StereoOutput) -> String {
    requiredExtension ?? output.picture(for: self).1
  }
}
