import DepthEvaluation
import Foundation
import Testing
import _TestSupport

/// Frames of NYU Depth v2, which are not part of the package, in the folder that `DEPTH_NYU` names or in
/// the sample beside the package.
enum NYUFrames {
  static let absence: Comment =
    "Scripts/fetch-nyu.sh DIR downloads the frames, then set DEPTH_NYU to DIR"

  private static let folder =
    ProcessInfo.processInfo.environment["DEPTH_NYU"]
    ?? URL(filePath: packageFolder).appending(path: "../shared/data/nyu/test-sample")
    .standardizedFileURL.path

  /// The folder with every fourth test frame as a JPEG in `rgb/` and metres · 5000 in `depth/`.
  static let sample = present("rgb").map { _ in folder }

  /// The file that `Scripts/fetch-nyu.sh` writes, with all frames, uncompressed.
  static let labelledSet = present("nyu_depth_v2_labeled.mat")

  static var arePresent: Bool { sample != nil || labelledSet != nil }

  private static func present(_ name: String) -> String? {
    let path = "\(folder)/\(name)"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// Every fourth test frame.
  static func everyFourth() throws -> any EvaluationDataset {
    if let sample { return try openDataset(sample, depthScale: 5000) }
    return FrameSubset(try openDataset(#require(labelledSet)), every: 4)
  }
}
