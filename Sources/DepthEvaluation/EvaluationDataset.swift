package import DepthErrors
package import DepthImages
import SystemEssentials

/// A photo with its true distances.
package struct EvaluationFrame: Sendable {
  package let name: String
  package let photo: Image
  /// True depths in metres, 0 for unmeasured pixels. The map may have fewer pixels than the photo.
  package let truth: DepthMap
  /// The camera passed to the networks.
  package let camera: FrameCamera

  /// - Throws: `DepthError`: code `sizeMismatch` if the proportions differ by more than one in a hundred; code
  ///   `unknownUnit` if the truth is neither in metres nor in disparity.
  package init(
    name: String, photo: Image, truth: DepthMap, camera: FrameCamera = .unsaid
  ) throws {
    guard truth.unit.isMetric else { throw DepthError.notMetric(file: name) }
    let (a, b) = (photo.width * truth.height, photo.height * truth.width)
    guard abs(a - b) * 100 <= max(a, b) else {
      throw DepthError.sizeMismatch(
        frame: name, photo: "\(photo.width)×\(photo.height)",
        truth: "\(truth.width)×\(truth.height)")
    }
    (self.name, self.photo, self.camera) = (name, photo, camera)
    self.truth = truth.unit == .metres ? truth : try truth.inMetres()
  }
}

/// A skipped frame, with the reason.
package struct SkippedFrame: Sendable, Equatable {
  package let name, reason: String
  /// The setting that caused the frame to be skipped.
  package var setting: SettingAtFault?
}

/// Photos with true depths. Frames are read on demand, several at a time.
package protocol EvaluationDataset: Sendable {
  /// The source file or folder.
  var path: String { get }
  var frameNames: [String] { get }
  /// Paths of the input files, which no output may replace.
  var files: [String] { get }
  /// Files without a counterpart, which form no frame.
  var incomplete: [SkippedFrame] { get }

  /// Reads a frame.
  ///
  /// - Throws: `DepthError` if the frame must be skipped.
  func frame(_ index: Int) throws -> EvaluationFrame
}

/// Some frames of a data set.
package struct FrameSubset: EvaluationDataset {
  private let base: any EvaluationDataset
  private let frames: [Int]

  /// - Parameter frames: Indices in `base`.
  package init(_ base: any EvaluationDataset, frames: [Int]) {
    (self.base, self.frames) = (base, frames)
  }

  /// Selects frames 0, `step`, 2 · `step`, …
  ///
  /// - Precondition: `step` is at least 1.
  package init(_ base: any EvaluationDataset, every step: Int) {
    precondition(step >= 1, "every \(step)th frame, expected at least 1")
    self.init(base, frames: Array(stride(from: 0, to: base.frameNames.count, by: step)))
  }

  package var path: String { base.path }
  package var files: [String] { base.files }
  package var frameNames: [String] { frames.map { base.frameNames[$0] } }
  package var incomplete: [SkippedFrame] { base.incomplete }

  package func frame(_ index: Int) throws -> EvaluationFrame { try base.frame(frames[index]) }
}

/// Opens a data set of any kind.
///
/// - Parameters:
///   - path: An HDF5 file, an association list, or a folder with `rgb/` and `depth/` or with `rgb.txt` and
///     `depth.txt`.
///   - split: The part of NYU Depth v2's labeled set. By default, its test frames, or all frames of a file with
///     another number of frames.
///   - depthScale: Values per metre in depth files.
/// - Throws: `DepthError`.
package func openDataset(
  _ path: String, split: NYUSplit? = nil, depthScale: Double? = nil
) throws -> any EvaluationDataset {
  let url = URL(filePath: path)
  let manager = FileManager.default
  var isFolder = false
  guard manager.fileExists(atPath: path, isDirectory: &isFolder) else {
    throw DepthError.unknownDataset(path: path, found: systemReason(ENOENT))
  }
  guard isFolder || url.pathExtension == "txt" else {
    return try NYULabelledSet(path: path, split: split, depthScale: depthScale)
  }
  guard split == nil else { throw DepthError.noSplit(path: path) }
  guard isFolder else { return try PairedFiles(associationList: url, depthScale: depthScale) }
  func holds(_ names: String...) -> Bool {
    names.allSatisfy {
      manager.fileExists(atPath: url.appending(path: $0).path(percentEncoded: false))
    }
  }
  if holds("rgb.txt", "depth.txt") {
    return try PairedFiles(timestampedFolder: url, depthScale: depthScale)
  }
  guard holds("rgb", "depth") else {
    throw DepthError.unknownDataset(path: path, found: "is a folder without these files")
  }
  return try PairedFiles(folder: url, depthScale: depthScale)
}
