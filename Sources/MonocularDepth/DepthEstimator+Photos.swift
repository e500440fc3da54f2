import DepthBase
public import DepthImages

extension DepthEstimator {
  /// The depth of a photo, refined, at the photo's size and for the photo's camera.
  ///
  /// FCRN, the architecture of the package's weights, stretches the whole photo to the size of its training pictures, as in the
  /// published code. Width × height is 304 × 228 for FCRN-50, and 480 × 384 for the package's weights. Portrait photos
  /// exchange width and height, so pixels stay nearly square. Depth Anything V2 keeps the photo's proportions.
  ///
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - options: The camera, refinement, calibration and limits.
  /// - Returns: Metres along the optical axis, or relative disparity for relative weights (``unit``) without a calibration.
  /// - Throws: `DepthError`: code `noDepth` if no pixel of the map has a value; other codes if the photo or the memory exceeds
  ///   the limits.
  public func depth(of photo: Image, options: DepthOptions = DepthOptions()) throws -> DepthMap {
    try estimate(of: photo, options: options).depth
  }

  /// The depth of a photo, together with the network's own map, the map's expected errors, and the camera.
  ///
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - options: The camera, refinement, calibration and limits.
  /// - Throws: `DepthError`; see ``depth(of:options:)``.
  public func estimate(
    of photo: Image, options: DepthOptions = DepthOptions()
  ) throws -> DepthEstimate {
    try ThreadShare.run(of: threads) {
      try reservedEstimate(of: photo, options: options, call: CallContext(threads: $0))
    }
  }
}

/// Estimates without blocking Swift's cooperative threads.
///
/// Concurrent calls share the processors, which does not change a single bit of a map. A call whose task is cancelled ends
/// before the network's next layer.
extension DepthEstimator {
  /// Estimates without blocking; see ``depth(of:options:)``.
  ///
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - options: The camera, refinement, calibration and limits.
  ///   - progress: Called with the completed share, 0…1, from any thread.
  /// - Throws: `DepthError`; `CancellationError`.
  public func depth(
    of photo: Image, options: DepthOptions = DepthOptions(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> DepthMap {
    try await estimate(of: photo, options: options, progress: progress).depth
  }

  /// Estimates without blocking; see ``estimate(of:options:)``.
  ///
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - options: The camera, refinement, calibration and limits.
  ///   - progress: Called with the completed share, 0…1, from any thread.
  /// - Throws: `DepthError`; `CancellationError`.
  public func estimate(
    of photo: Image, options: DepthOptions = DepthOptions(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> DepthEstimate {
    try await CallQueue.shared.run(threads: threads, progress: progress) {
      try reservedEstimate(of: photo, options: options, call: $0)
    }
  }
}
