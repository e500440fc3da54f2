package import ArgumentParser
package import DepthRefinement
package import MonocularDepth
import PhotoRuns

/// `?calibration-factor=1.18`: the factor by which a person's own measurement corrects the metres of a camera.
package struct CorrectionQuery: ParsableArguments {
  package init() {}

  /// What estimated metres are multiplied by.
  @Option package var calibrationFactor: Double?

  package func validate() throws {
    try check("--calibration-factor", calibrationFactor, in: 0.01...100)
  }

  /// What a file of `depth calibrate` has for maps of this refinement; `nil` without a factor.
  package func calibration(for refinement: RefinementMethod.Name) -> DepthCalibration? {
    calibrationFactor.map { DepthCalibration(scale: 1 / $0, shift: 0, refinement: refinement) }
  }
}
