import DepthBase
public import DepthImages

extension DepthEstimator {
  /// The depth of a photo.
  ///
  /// For FCRN, the architecture of the package's weights, the whole photo is stretched to the size of the training
  /// pictures, as in the published code. Width × height is 304 × 228 for FCRN-18 and FCRN-50, and 320 × 256 for FCRN on
  /// EfficientNet-Lite2. A portrait photo is stretched to the same size with width and height exchanged, so that its
  /// pixels stay nearly square, as in training. For Depth Anything V2, the photo keeps its proportions.
  ///
  /// - Returns: Metres along the optical axis, or relative disparity (``unit``). With the package's weights, the map
  ///   has 128 rows of 160 values for a landscape photo and 160 rows of 128 values for a portrait photo. The map covers
  ///   the whole photo: stretch it to the photo's size to compare them.
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - camera: The photo's camera, whose focal length scales the result. `nil` takes the focal length from the
  ///     photo's Exif block, or assumes the training camera if Exif does not contain it. Pass
  ///     ``trainingCamera(width:height:)`` for no correction.
  ///   - limits: The largest photo and the memory that the call may take.
  /// - Throws: `DepthError`: with code `noDepth` if no pixel of the map has a value, and other codes if the photo or
  ///   the memory exceeds the limits.
  public func depth(
    of photo: Image, camera: Camera? = nil, limits: ImageLimits = ImageLimits()
  ) throws -> DepthMap {
    try estimate(of: photo, camera: camera, limits: limits).depth
  }

  /// The depth of a photo, and how far off it may be. Parameters and errors are those of ``depth(of:camera:limits:)``.
  ///
  /// - Throws: `DepthError`.
  public func estimate(
    of photo: Image, camera: Camera? = nil, limits: ImageLimits = ImageLimits()
  ) throws -> DepthEstimate {
    try ThreadShare.run(of: threads) {
      try estimate(
        of: photo, camera: camera, limits: limits, call: CallContext(threads: $0))
    }
  }

  /// Writes the depth of a photo in metres into the caller's memory; see ``depth(of:camera:limits:)``.
  ///
  /// The map is computed in the estimator's memory and copied once. To write rows with padding between them, or into
  /// a raw buffer, use ``DepthImages/DepthMap/copyValues(into:floatsPerRow:)-(MutableSpan<Float>,_)``.
  ///
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - camera: Its camera; `nil` takes it from the photo's Exif block, or else assumes the training camera.
  ///   - limits: The largest photo and the memory that the call may take.
  ///   - buffer: Receives the values, row 0 at the top. It must have room for as many values as
  ///     ``outputSize(height:width:)`` has pixels.
  /// - Returns: Rows and columns of the map.
  /// - Throws: `DepthError` as ``depth(of:camera:limits:)`` does, with code `invalidArgument` for a smaller buffer, and with code
  ///   `unknownUnit` for weights of relative disparity, because the buffer cannot record that its values are not metres.
  @discardableResult
  public func depth(
    of photo: Image, camera: Camera? = nil, limits: ImageLimits = ImageLimits(),
    into buffer: inout MutableSpan<Float>
  ) throws -> (height: Int, width: Int) {
    try unit.requireMetric(for: "depth in a buffer")
    let depth = try depth(of: photo, camera: camera, limits: limits)
    try depth.copyValues(into: &buffer)
    return (depth.height, depth.width)
  }

  /// The depths of several photos, faster than one after the other.
  ///
  /// Photos of one input size are one batch of a network, so every weight is read once for all of them. The camera of
  /// each photo is taken from its Exif block. Results are bit-identical to calling `depth(of:)` for each photo, except
  /// with OpenBLAS, whose summation order may depend on the size of the batch.
  ///
  /// - Throws: `DepthError` with code `insufficientMemory` if the memory does not suffice for all photos, and with code `noDepth` if no
  ///   pixel of a photo's map has a value.
  public func depths(of photos: [Image], limits: ImageLimits = ImageLimits()) throws -> [DepthMap] {
    try ThreadShare.run(of: threads) {
      try depths(of: photos, limits: limits, call: CallContext(threads: $0))
    }
  }
}

/// Estimates without blocking Swift's cooperative threads.
///
/// Concurrent calls share the processors, which does not change the bits of a map. A call
/// whose task is cancelled ends before the network's next layer.
extension DepthEstimator {
  /// ``depth(of:camera:limits:)`` without blocking.
  ///
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - camera: Its camera; `nil` takes it from the photo's Exif block, or else assumes the training camera.
  ///   - limits: The largest photo and the memory that the call may take.
  ///   - progress: Called with the share done, 0…1, from any thread.
  /// - Throws: `DepthError`; `CancellationError`.
  public func depth(
    of photo: Image, camera: Camera? = nil, limits: ImageLimits = ImageLimits(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> DepthMap {
    try await estimate(of: photo, camera: camera, limits: limits, progress: progress).depth
  }

  /// ``estimate(of:camera:limits:)`` without blocking.
  ///
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - camera: Its camera; `nil` takes it from the photo's Exif block, or else assumes the training camera.
  ///   - limits: The largest photo and the memory that the call may take.
  ///   - progress: Called with the share done, 0…1, from any thread.
  /// - Throws: `DepthError`; `CancellationError`.
  public func estimate(
    of photo: Image, camera: Camera? = nil, limits: ImageLimits = ImageLimits(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> DepthEstimate {
    try await CallQueue.shared.run(threads: threads, progress: progress) {
      try estimate(of: photo, camera: camera, limits: limits, call: $0)
    }
  }

  /// ``depths(of:limits:)`` without blocking.
  ///
  /// - Parameters:
  ///   - photos: Upright photos.
  ///   - limits: The largest photo and the memory that the call may take.
  ///   - progress: Called with the share done, 0…1, from any thread.
  /// - Throws: `DepthError`; `CancellationError`.
  public func depths(
    of photos: [Image], limits: ImageLimits = ImageLimits(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> [DepthMap] {
    try await CallQueue.shared.run(threads: threads, progress: progress) {
      try depths(of: photos, limits: limits, call: $0)
    }
  }
}
