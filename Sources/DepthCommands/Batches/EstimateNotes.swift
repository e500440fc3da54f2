import DepthImages
import MonocularDepth

extension PhotoRun {
  /// Prints notes on an estimate whose distances are or may be wrong.
  ///
  /// - Parameters:
  ///   - estimation: The source of the estimate.
  ///   - usesMetres: Whether distances are written or used.
  func tell(of estimate: DepthEstimate, by estimation: MapEstimation, usesMetres: Bool) {
    if let note = estimation.unusualCamera(of: estimate) { log(note) }
    if let fit = estimate.metricFit { tell(of: fit) }
    guard estimate.networkMap.unit == .metres else { return }
    let (isCalibrated, camera) = (estimation.options.calibration != nil, estimation.options.camera)
    if !isCalibrated, let error = estimate.uncertainty, error >= DepthEstimate.doubtfulError {
      let percent = Int((error * estimate.toldErrorFactor * 100).rounded())
      note("differs from the furnished rooms of the training photos: expect errors of \(percent) %")
    }
    guard camera != .uncorrected else { return }
    if usesMetres { tellOfAssumedFocalLength(estimate.camera) }
    if isCalibrated, estimate.camera.source == .assumed {
      note(
        "has no focal length, so its camera cannot be compared with the calibrated camera and zoom",
        once: .unknownCalibratedCamera)
    }
  }

  /// Prints one note per run about photos without a known focal length.
  func tellOfAssumedFocalLength(_ camera: PhotoCamera) {
    guard camera.source == .assumed else { return }
    let degrees = Int(camera.camera.fieldOfView.rounded())
    note(
      "has no focal length, so its metres assume an angle of view of \(degrees)° along its longer side; "
        + "give the photo's with --focal-length 26mm or --fov 70",
      once: .assumedFocalLength)
  }
}
