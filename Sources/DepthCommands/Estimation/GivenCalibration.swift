import DepthRefinement
import MonocularDepth
import SystemEssentials

/// The file of the correction of a camera's estimates.
struct GivenCalibration: Sendable {
  /// `nil` without a correction.
  var name: String?

  /// Files that no output may replace.
  var files: [String] { [name].compactMap(\.self) }

  func read() throws -> DepthCalibration? {
    try name.map { try DepthCalibration(contentsOf: URL(filePath: $0)) }
  }
}

extension DepthCalibration {
  /// Notes on standard error where it does not belong to this run.
  ///
  /// - Parameter refinement: How the run's maps are refined before they are corrected.
  /// - Throws: `DepthError` for weights whose maps are of another kind.
  func warn(for estimator: DepthEstimator, refinement: RefinementMethod) throws {
    for doubt in try doubts(for: estimator, refinement: refinement) {
      Console.note(doubt)
    }
  }
}
