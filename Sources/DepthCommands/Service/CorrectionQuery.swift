import ArgumentParser
import DepthRefinement
import MonocularDepth

/// `?calibration-factor=1.18`: the factor by which a person's own measurement corrects the metres of a camera.
struct CorrectionQuery: ParsableArguments {
  /// What estimated metres are multiplied by.
  @Option var calibrationFactor: Double?

  func validate() throws {
    try check("--calibration-factor", calibrationFactor, in: 0.01...100)
  }

  /// What a file of `depth calibrate` has for maps of this refinement; `nil` without a factor.
  func calibration(for refinement: RefinementMethod.Name) -> DepthCalibration? {
    calibrationFactor.map { DepthCalibration(scale: 1 / $0, shift: 0, refinement: refinement) }
  }
}
