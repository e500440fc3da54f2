import DepthBase
public import DepthImages

extension DepthEstimator {
  /// The depth of a photo, as the program writes it: refined, at the photo's size, for the photo's camera.
  ///
  /// For FCRN, the architecture of the package's weights, the whole photo is stretched to the size of the training
  /// pictures, as in the published code. Width × height is 304 × 228 for FCRN-50, and 320 × 256 for FCRN on
  /// EfficientNet-Lite2. A portrait photo is stretched to the same size with width and height exchanged, so that its
  /// pixels stay nearly square, as in training. For Depth Anything V2, the photo keeps its proportions.
  ///
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - options: The camera, refinement, calibration and limits.
  /// - Returns: Metres along the optical axis, or relative disparity for weights that give it (``unit``) without a calibration.
  /// - Throws: `DepthError`: with code `noDepth` if no pixel of the map has a value, and other codes if the photo or
  ///   the memory exceeds the limits.
  public func depth(of photo: Image, options: DepthOptions = DepthOptions()) throws -> DepthMap {
    try estimate(of: photo, options: options).depth
  }

  /// The depth of a photo with everything that came with it: the network's own map, its expected errors, and the camera.
  ///
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - options: The camera, refinement, calibration and limits.
  /// - Throws: `DepthError`, as ``depth(of:options:)`` does.
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
/// Concurrent calls share the processors, which does not change the bits of a map. A call
/// whose task is cancelled ends before the network's next layer.
extension DepthEstimator {
  /// ``depth(of:options:)`` without blocking.
  ///
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - options: The camera, refinement, calibration and limits.
  ///   - progress: Called with the share done, 0…1, from any thread.
  /// - Throws: `DepthError`; `CancellationError`.
  public func depth(
    of photo: Image, options: DepthOptions = DepthOptions(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> DepthMap {
    try await estimate(of: photo, options: options, progress: progress).depth
  }

  /// ``estimate(of:options:)`` without blocking.
  ///
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - options: The camera, refinement, calibration and limits.
  ///   - progress: Called with the share done, 0…1, from any thread.
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
