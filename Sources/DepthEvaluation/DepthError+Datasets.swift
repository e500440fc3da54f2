package import DepthErrors

extension DepthError {
  /// The error for a path that is not a known kind of data set.
  static func unknownDataset(path: String, found: String) -> DepthError {
    DepthError(
      .unsupportedFormat, file: path,
      "\(found), expected an HDF5 file (nyu_depth_v2_labeled.mat), a folder with rgb/ and "
        + "depth/ or with rgb.txt and depth.txt, or an association list (.txt)")
  }

  /// The error for a photo without depth, or depth without a photo.
  static func missingPair(file: String, expected: String) -> DepthError {
    DepthError(.incompleteDataset, file: file, "has no matching file, expected \(expected)")
  }

  /// The error for a photo or frame with more than one depth file.
  static func severalPartners(file: String, found: [String]) -> DepthError {
    DepthError(
      .incompleteDataset, file: file,
      "has \(found.count) depth files, expected one of \(found.joined(separator: ", "))")
  }

  /// The error for a photo and truth of different proportions.
  package static func sizeMismatch(frame: String, photo: String, truth: String) -> DepthError {
    DepthError(
      .sizeMismatch, file: frame,
      "the photo is \(photo) and the truth \(truth), expected the same proportions")
  }

  /// The error for a map and truth of different orientations.
  package static func liesOnItsSide(file: String, found: String, truth: String) -> DepthError {
    DepthError(
      .sizeMismatch, file: file,
      "the map is \(found) and the truth \(truth), expected the same orientation")
  }

  /// The error for a split of a data set that has no splits.
  static func noSplit(path: String) -> DepthError {
    DepthError(
      .invalidArgument, file: path,
      "has no split, which only nyu_depth_v2_labeled.mat has",
      cause: SettingAtFault.split)
  }

  /// The error for a depth file that is not in metres, with an unknown number of values per metre.
  package static func unknownScale(file: String) -> DepthError {
    DepthError(
      .unknownUnit, file: file,
      "does not record the unit of its values, expected the number of values per metre",
      cause: SettingAtFault.depthScale)
  }

  /// The error for relative depth, which has no metres.
  static func notMetric(file: String) -> DepthError {
    DepthError(.unknownUnit, file: file, "holds relative depth, expected metres")
  }

  /// The error for a frame without a true depth that counts under the protocol.
  package static func noTruth(frame: String, protocol name: String) -> DepthError {
    DepthError(
      .noDepth, file: frame, "no pixel has a true depth that counts under protocol \(name)")
  }

  /// The error for a dataset in a file with unexpected extents or elements.
  static func unexpectedArray(
    file: String, name: String, expected: String, found: String
  ) -> DepthError {
    DepthError(.damaged, file: file, "dataset '\(name)' is \(found), expected \(expected)")
  }

  /// The error for a data set whose frames were all skipped.
  ///
  /// - Parameter first: The first skipped frame.
  static func nothingMeasured(path: String, first: SkippedFrame?) -> DepthError {
    DepthError(
      .incompleteDataset, file: path,
      "no frame could be measured; the first: \(first?.reason ?? "unknown")",
      cause: first?.setting)
  }
}
