package import DepthErrors

extension DepthError {
  /// The path is not a data set of a known kind.
  static func unknownDataset(path: String, found: String) -> DepthError {
    DepthError(
      .unsupportedFormat, file: path,
      "\(found), expected an HDF5 file (nyu_depth_v2_labeled.mat), a folder with rgb/ and "
        + "depth/ or with rgb.txt and depth.txt, or an association list (.txt)")
  }

  /// A photo without depth, or depth without a photo.
  static func missingPair(file: String, expected: String) -> DepthError {
    DepthError(.incompleteDataset, file: file, "has no partner, expected \(expected)")
  }

  /// A photo or frame has more than one depth file.
  static func severalPartners(file: String, found: [String]) -> DepthError {
    DepthError(
      .incompleteDataset, file: file,
      "has \(found.count) depth files, expected one of \(found.joined(separator: ", "))")
  }

  /// Photo and truth have different proportions.
  package static func sizeMismatch(frame: String, photo: String, truth: String) -> DepthError {
    DepthError(
      .sizeMismatch, file: frame,
      "the photo is \(photo) and the truth \(truth), expected the same proportions")
  }

  /// A predicted map is upright and the truth is not, or the other way round.
  package static func liesOnItsSide(file: String, found: String, truth: String) -> DepthError {
    DepthError(
      .sizeMismatch, file: file,
      "the map is \(found) and the truth \(truth), expected the same orientation")
  }

  /// A choice that this kind of data set does not offer.
  static func noSplit(path: String) -> DepthError {
    DepthError(
      .invalidArgument, file: path,
      "has no split, expected one only for nyu_depth_v2_labeled.mat",
      cause: SettingAtFault.split)
  }

  /// A depth file's numbers are not metres, and their number per metre is not given.
  package static func unknownScale(file: String) -> DepthError {
    DepthError(
      .unknownUnit, file: file,
      "does not record the unit of its values, expected the number of values per metre",
      cause: SettingAtFault.depthScale)
  }

  /// Relative depth, from which no metres follow.
  static func notMetric(file: String) -> DepthError {
    DepthError(.unknownUnit, file: file, "holds relative depth, expected metres")
  }

  /// No pixel of the frame has a true depth that the protocol counts.
  package static func noTruth(frame: String, protocol name: String) -> DepthError {
    DepthError(
      .noDepth, file: frame, "no pixel has a true depth that counts under protocol \(name)")
  }

  /// A dataset in a file has other extents or elements than it should.
  static func unexpectedArray(
    file: String, name: String, expected: String, found: String
  ) -> DepthError {
    DepthError(.damaged, file: file, "dataset '\(name)' is \(found), expected \(expected)")
  }

  /// Every frame was skipped.
  ///
  /// - Parameter first: The first of them.
  static func nothingMeasured(path: String, first: SkippedFrame?) -> DepthError {
    DepthError(
      .incompleteDataset, file: path,
      "no frame could be measured; the first: \(first?.reason ?? "not known")",
      cause: first?.setting)
  }
}
