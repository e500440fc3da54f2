package import DepthBase
package import DepthImages
package import MonocularDepth

/// A frame and its temporally filtered depth map, before it is finished.
package struct FrameDepth: Sendable {
  /// Name of the frame in errors.
  let name: String
  package let image: Image
  /// The network's map before refinement and calibration, in the weights' unit: metres or relative disparity.
  let depth: DepthMap
  /// The expected errors of the map; `nil` if the weights predict no errors.
  let errors: ErrorMap?
  /// Change since the previous frame.
  package let change: FilmMotion.Change

  /// The calibrated map, without refinement.
  package func calibrated(by estimation: MapEstimation) throws -> DepthMap {
    try estimation.options.calibrated(depth, camera: nil, named: name, mayBeEmpty: true)
  }

  /// The finished map.
  package func finished(by estimation: MapEstimation, call: CallContext) throws -> DepthMap {
    try estimation.estimator.finished(
      depth, errors: errors, guidedBy: image, camera: nil, options: estimation.options, named: name,
      mayBeEmpty: true, call: call)
  }
}
