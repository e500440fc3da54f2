public import DepthImages
import ProcessLimits
import ThreadTeams

extension DepthEstimator {
  /// The depth of a photo.
  ///
  /// The whole photo is stretched to the size that the network was trained on, 304 × 228, which is what
  /// the published code does. An upright (portrait) photo is stretched to 228 × 304 instead: the camera
  /// was turned, so the picture's pixels stay as square as the network knows them.
  ///
  /// - Returns: Metres along the optical axis, or relative disparity (``unit``), 128 × 160 for a landscape and 160 × 128 for a portrait
  ///   photo. The map covers the whole photo: stretch it over the photo to compare them.
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - camera: Its camera, whose focal length scales the result. `nil` takes what the photo's Exif block says, or
  ///     else the training camera; pass ``DepthImages/Camera/training(width:height:)`` for no correction.
  ///   - limits: The largest photo and the memory that the call may take.
  /// - Throws: `DepthError` with code `noDepth` when no network gives any pixel a depth, and above the
  ///   limits.
  public func depth(
    of photo: Image, camera: Camera? = nil, limits: ImageLimits = ImageLimits()
  ) throws -> DepthMap {
    try estimate(of: photo, camera: camera, limits: limits).depth
  }

  /// The depth of a photo, as ``depth(of:camera:limits:)``, and how far off it may be.
  ///
  /// - Throws: `DepthError` as that.
  public func estimate(
    of photo: Image, camera: Camera? = nil, limits: ImageLimits = ImageLimits()
  ) throws -> DepthEstimate {
    try ThreadShare.run(of: threads) {
      try estimate(
        of: photo, camera: camera, limits: limits, call: CallContext(threads: $0))
    }
  }

  /// The depth of a photo in metres, as ``depth(of:camera:limits:)``, in memory of the caller.
  ///
  /// The map is computed in memory of the estimator and copied once. To write with a distance between rows, or into
  /// a raw buffer, use ``DepthImages/DepthMap/copyValues(into:floatsPerRow:)-(MutableSpan<Float>,_)``.
  ///
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - camera: Its camera; `nil` takes what the photo's Exif block says, or else the training camera.
  ///   - limits: The largest photo and the memory that the call may take.
  ///   - buffer: Receives the values, row 0 at the top; has room for ``outputSize``.
  /// - Returns: Rows and columns of the map.
  /// - Throws: `DepthError` as that, with code `invalidArgument` for a smaller buffer, and with code `unknownUnit` for weights that
  ///   know no metres: bare numbers cannot say so.
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
  /// Photos of one orientation go through a network together, so that every weight is read once for
  /// all of them. Results are bit-identical to calling `depth(of:)` for each photo, except with OpenBLAS,
  /// whose summation order may depend on the batch size.
  ///
  /// - Throws: `DepthError` with code `insufficientMemory` when there are more photos
  ///   than memory for all of them.
  /// - Throws: `DepthError` with code `noDepth` when no network gives any pixel of a photo a depth.
  public func depths(of photos: [Image], limits: ImageLimits = ImageLimits()) throws -> [DepthMap] {
    try ThreadShare.run(of: threads) {
      try depths(of: photos, limits: limits, call: CallContext(threads: $0))
    }
  }
}

/// Estimates beside Swift's cooperative threads.
///
/// Several calls at once divide the processors among themselves; the bits of a map do not depend on it. A call
/// whose task is cancelled ends before the network's next layer.
extension DepthEstimator {
  /// ``depth(of:camera:limits:)`` without blocking.
  ///
  /// - Parameters:
  ///   - photo: An upright photo.
  ///   - camera: Its camera; `nil` takes what the photo's Exif block says, or else the training camera.
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
  ///   - camera: Its camera; `nil` takes what the photo's Exif block says, or else the training camera.
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
