#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why a data set, or one of its frames, cannot be measured.
package enum EvaluationError: Error, Equatable, Sendable {
  /// The path is no data set of a known kind.
  case unknownDataset(path: String, found: String)
  /// A data set without a single frame.
  case noFrames(path: String)
  /// A photo without depth, or depth without a photo.
  case missingPair(file: String, expected: String)
  /// Photo and truth have different proportions.
  case sizeMismatch(frame: String, photo: String, truth: String)
  /// A predicted map is upright and the truth is not, or the other way round.
  case liesOnItsSide(file: String, found: String, truth: String)
  /// A choice that this kind of data set does not offer.
  case noSplit(path: String)
  /// The numbers of a depth file are not metres, and nobody said how many of them make one.
  case unknownScale(file: String)
  /// Relative depth, from which no metres follow.
  case notMetric(file: String)
  /// No pixel of the frame has a true depth that the protocol counts.
  case noTruth(frame: String, protocol: String)
  /// A line of a list of files that cannot be read.
  case malformedLine(file: String, line: Int, expected: String)
  /// A dataset in a file has other extents or elements than it should.
  case unexpectedArray(file: String, name: String, expected: String, found: String)
  /// Every frame was skipped; the reason of the first.
  case nothingMeasured(path: String, first: String)
}

extension EvaluationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownDataset(let path, let found):
      "\(path): \(found), expected an HDF5 file (nyu_depth_v2_labeled.mat), a folder with rgb/ and "
        + "depth/ or with rgb.txt and depth.txt, or an association list (.txt)"
    case .noFrames(let path): "\(path): holds no frame"
    case .missingPair(let file, let expected): "\(file): has no partner, expected \(expected)"
    case .sizeMismatch(let frame, let photo, let truth):
      "\(frame): the photo is \(photo) and the truth \(truth), expected the same proportions"
    case .liesOnItsSide(let file, let found, let truth):
      "\(file): the map is \(found) and the truth \(truth), expected the same orientation"
    case .noSplit(let path):
      "\(path): has no split, expected --split with nyu_depth_v2_labeled.mat alone"
    case .unknownScale(let file):
      "\(file): does not say what its values mean, expected --depth-scale (values a metre)"
    case .notMetric(let file): "\(file): holds relative depth, expected metres"
    case .noTruth(let frame, let name):
      "\(frame): no pixel has a true depth that protocol \(name) counts"
    case .malformedLine(let file, let line, let expected):
      "\(file): line \(line) cannot be read, expected \(expected)"
    case .unexpectedArray(let file, let name, let expected, let found):
      "\(file): dataset '\(name)' is \(found), expected \(expected)"
    case .nothingMeasured(let path, let first):
      "\(path): no frame could be measured; the first: \(first)"
    }
  }
}

extension EvaluationError: LocalizedError {
  package var errorDescription: String? { description }
}
