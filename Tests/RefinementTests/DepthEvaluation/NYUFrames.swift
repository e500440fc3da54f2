import DepthEvaluation
import Foundation
import Testing
import _TestSupport

/// Frames of NYU Depth v2, which the package does not include. The folder is `DEPTH_NYU`, or the
/// sample beside the package.
enum NYUFrames {
  static let absence: Comment =
    "Scripts/fetch-nyu.sh DIR downloads the frames, then set DEPTH_NYU to DIR"

  private static let folder =
    ProcessInfo.processInfo.environment["DEPTH_NYU"]
    ?? URL(filePath: packageFolder).appending(path: "../shared/data/nyu/test-sample")
    .standardizedFileURL.path

  /// The folder of every fourth test frame. `rgb/` has JPEG photos, `depth/` has metres · 5000.
  static let sample = present("rgb").map { _ in folder }

  /// The uncompressed file of all frames that `Scripts/fetch-nyu.sh` writes.
  static let labelledSet = present("nyu_depth_v2_labeled.mat")

  static var arePresent: Bool { sample != nil || labelledSet != nil }

  private static func present(_ name: String) -> String? {
    let path = "\(folder)/\(name)"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// The data set of every fourth test frame.
  static func everyFourth() throws -> any EvaluationDataset {
    if let sample { return try openDataset(sample, depthScale: 5000) }
    return FrameSubset(try openDataset(#require(labelledSet)), every: 4)
  }
}
