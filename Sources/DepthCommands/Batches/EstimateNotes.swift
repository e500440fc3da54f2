import DepthImages
import MonocularDepth

extension PhotoTask {
  /// Notes on an estimate whose distances are off, or may be.
  ///
  /// - Parameters:
  ///   - pipeline: Of the estimate.
  ///   - usesMetres: Whether distances are written or used.
  func tell(of estimate: DepthEstimate, by pipeline: MapEstimation, usesMetres: Bool) {
    if let note = pipeline.unusualCamera(of: estimate) { log(note) }
    if let fit = estimate.metricFit { tell(of: fit) }
    guard estimate.networkMap.unit == .metres, pipeline.options.calibration == nil else { return }
    if let error = estimate.uncertainty, error >= DepthEstimate.doubtfulError {
      note(
        "does not look like a furnished room: expect errors of \(Int((error * 100).rounded())) %")
    }
    if usesMetres, pipeline.options.camera != .uncorrected {
      tellOfAssumedFocalLength(estimate.camera)
    }
  }

  /// A note, once a run, where nothing says a photo's focal length.
  func tellOfAssumedFocalLength(_ camera: PhotoCamera) {
    guard camera.source == .assumed else { return }
    let degrees = Int(camera.camera.fieldOfView.rounded())
    note(
      "has no focal length, so its metres assume an angle of view of \(degrees)°; "
        + "give the photo's with --focal-length 26mm or --fov 70",
      once: .assumedFocalLength)
  }
}

/// Keys of a record about the estimate that its picture was made from.
struct EstimateFacts: Sendable {
  /// `exif`, `option` or `assumed`; `nil` where depth was not estimated.
  let focalLengthSource: String?
  /// See `DepthEstimate.uncertainty`; `nil` for calibrated depth too.
  let uncertainty: Double?
  /// The fit of relative depth; `nil` where metres are the network's own, and without metres.
  let metres: MetresRecord?
}

extension EstimateFacts {
  init(of estimate: DepthEstimate, by pipeline: MapEstimation) {
    focalLengthSource = estimate.camera.sourceName
    // The expected error is that of scales without a calibration.
    uncertainty = pipeline.options.calibration == nil ? estimate.uncertainty : nil
    metres = MetresRecord(of: estimate, by: pipeline.estimator)
  }
}
