extension StereoFormat {
  /// Pixels of all pictures that an animation or quilt keeps in memory; 0 for formats with one pair of views.
  package func pixels(height: Int, width: Int, output: StereoOutput) -> Int {
    switch self {
    case .wiggle, .wiggleGIF:
      let shown = min(width, max(1, output.animationWidth))
      // The views go back and forth, without repetition of the turning points.
      return max(2, 2 * output.animationViews - 2) * shown * max(1, height * shown / width)
    case .quilt(let columns, let rows):
      let tile = max(1, min(width, output.quiltWidth / max(1, columns)))
      return tile * max(1, (height * tile + width / 2) / width) * columns * rows
    default: return 0
    }
  }

  /// The endings of file names in this format: suffix and extension, equal to ``StereoFile/ending``.
  ///
  /// - Parameters:
  ///   - aspect: Width of the photo divided by its height, which is part of a quilt's name.
  ///   - output: The settings for encoding the files.
  package func endings(aspect: Double, output: StereoOutput) -> [String] {
    suffixes(aspect: aspect).map { "\($0).\(fileExtension(output: output))" }
  }

  /// The extension of this format's files.
  package func fileExtension(output: StereoOutput) -> String {
    requiredExtension ?? output.picture(for: self).1
  }
}
