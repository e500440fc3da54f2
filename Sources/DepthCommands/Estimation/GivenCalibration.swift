import DepthRefinement
import MonocularDepth
import SystemEssentials

/// The calibration file for a camera's estimates.
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
  /// Prints notes if the calibration does not match this run.
  ///
  /// - Parameter refinement: The refinement of the run's maps before their correction.
  /// - Throws: `DepthError` for relative maps with a metric calibration, or the reverse.
  func warn(for estimator: DepthEstimator, refinement: RefinementMethod) throws {
    for doubt in try doubts(for: estimator, refinement: refinement) {
      Console.note(doubt)
    }
  }
}
