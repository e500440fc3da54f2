package import DepthBase
public import DepthImages

extension DepthMap {
  /// Refines this map to the photo's resolution, with depth edges at the photo's edges.
  ///
  /// The map must cover the whole photo. A map of other proportions is stretched; ``checkAspect(of:)`` checks the
  /// proportions. Pixels without a value do not affect their neighbors. If `fillsMissing` is true, these pixels are filled
  /// from nearby pixels of similar color.
  ///
  /// - Parameters:
  ///   - photo: The photo of this map.
  ///   - method: The filter; see `RefinementMethod`.
  ///   - resolution: The size of the result.
  ///   - fillsMissing: Whether pixels without a value are filled. If the map has no values, the result has none.
  ///   - threads: Number of threads, 1…256, by default one per processor. The number does not affect the result.
  ///   - limits: The largest accepted result and the memory limit of the call.
  /// - Returns: A map in the same unit.
  /// - Throws: `DepthError` if a number of threads, a size or a setting of the filter is out of range, or if the result or the
  ///   memory exceeds the limits.
  /// - Complexity: In addition to the result, `.joint` needs memory proportional to the result's pixels. If a side of the
  ///   result is more than six times the map's side, the memory is proportional to 16 times the map's pixels.
  public func refined(
    guidedBy photo: Image, method: RefinementMethod = .joint(JointFilter()),
    resolution: OutputResolution = .photo, fillsMissing: Bool = false, threads: Int? = nil,
    limits: ImageLimits = ImageLimits()
  ) throws -> DepthMap {
    let threads = try ThreadCount.checked(threads)
    try requireMemory(photo, method, resolution, threads: threads, limits)
    return try refined(
      guidedBy: photo, method: method, resolution: resolution, fillsMissing: fillsMissing,
      limits: limits, call: CallContext(threads: threads))
  }

  /// Refines on threads of this package instead of one of Swift's cooperative threads; see
  /// ``refined(guidedBy:method:resolution:fillsMissing:threads:limits:)``.
  ///
  /// - Parameters:
  ///   - photo: The photo of this map.
  ///   - method: The filter; see `RefinementMethod`.
  ///   - resolution: The size of the result.
  ///   - fillsMissing: Whether pixels without a value are filled.
  ///   - threads: Number of threads, 1…256, by default one per processor.
  ///   - limits: The largest accepted result and the memory limit of the call.
  ///   - progress: Called with the completed share, 0…1, from any thread.
  /// - Throws: `DepthError`, like the blocking call; `CancellationError` soon after the task's cancellation.
  public func refined(
    guidedBy photo: Image, method: RefinementMethod = .joint(JointFilter()),
    resolution: OutputResolution = .photo, fillsMissing: Bool = false, threads: Int? = nil,
    limits: ImageLimits = ImageLimits(), progress: (@Sendable (Double) -> Void)? = nil
  ) async throws -> DepthMap {
    let threads = try ThreadCount.checked(threads)
    try requireMemory(photo, method, resolution, threads: threads, limits)
    return try await CallQueue.shared.run(threads: threads, progress: progress) {
      try refined(
        guidedBy: photo, method: method, resolution: resolution, fillsMissing: fillsMissing,
        limits: limits, call: $0)
    }
  }

  private func requireMemory(
    _ photo: Image, _ method: RefinementMethod, _ resolution: OutputResolution, threads: Int,
    _ limits: ImageLimits
  ) throws {
    try method.check()
    let (height, width) = try resolution.size(of: self, photo: photo, method: method)
    try limits.check(width: width, height: height, file: "the refined map")
    var need = MemoryNeed(
      .map, pixels: max(height * width, photo.height * photo.width), mapPixels: values.count)
    need.bytes += method.windowBytes(height: height, width: width, threads: threads)
    try limits.check(need, for: "the refined map")
  }

  /// - Parameter call: Can be cancelled between the filters, and between rows of each filter.
  package func refined(
    guidedBy photo: Image, method: RefinementMethod, resolution: OutputResolution,
    fillsMissing: Bool, limits: ImageLimits, call: CallContext
  ) throws -> DepthMap {
    try method.check()
    let (height, width) = try resolution.size(of: self, photo: photo, method: method)
    try limits.check(width: width, height: height, file: "the refined map")
    try call.checkpoint(0)
    // The filters support reciprocals of metres and shares of 0…1.
    guard unit != .relativeDisparity else {
      return try asShares {
        try $0.refined(
          guidedBy: photo, method: method, resolution: resolution, fillsMissing: fillsMissing,
          limits: limits, call: call)
      }
    }
    let (threads, missing) = (call.threads, unit.missingValue)
    var map = try weighted(inDisparity: method.worksInDisparity)
      .reduced(height: height, width: width)
    if fillsMissing { map = map.filled() }

    let values: [Float]
    switch method {
    case .none:
      values = gaussianBlurred(
        map, height: height, width: width, radius: 0, sigma: 1, missing: missing, threads: threads,
        cancellation: call.cancellation)
    case .bilateral(let filter) where !filter.comparesColors:
      values = gaussianBlurred(
        map, height: height, width: width, radius: filter.radius, sigma: filter.sigmaSpatial,
        missing: missing, threads: threads, cancellation: call.cancellation)
    case .bilateral(let filter):
      let guide = areaAveraged(photo, height: height, width: width, threads: threads)
      values = jointBilateral(
        map, guide: guide, radius: filter.radius, sigmaSpatial: filter.sigmaSpatial,
        sigmaRange: filter.sigmaRange, missing: missing, threads: threads,
        cancellation: call.cancellation)
    case .joint(let filter):
      let guide = areaAveraged(photo, height: height, width: width, threads: threads)
      values = try filter.refined(
        map, photo: guide, reciprocal: unit == .metres, relative: unit.isMetric, missing: missing,
        call: call)
    }
    try call.checkpoint(1)
    return DepthMap(height: height, width: width, unit: unit, values: values)
  }

  /// The map at the photo's size, for pictures beside the photo. A map with this size stays unchanged.
  ///
  /// - Throws: `DepthError` above the limits; `CancellationError`.
  package func stretched(
    over photo: Image, limits: ImageLimits, call: CallContext
  ) throws -> DepthMap {
    guard (height, width) != (photo.height, photo.width) else { return self }
    return try refined(
      guidedBy: photo, method: .none, resolution: .photo, fillsMissing: false, limits: limits,
      call: call)
  }

  /// Approximate width in pixels of the map's strong edges, 1…8; 8 for a map without changes.
  package var edgeWidth: Float {
    guard unit != .relativeDisparity else { return normalized().edgeWidth }
    return (try? weighted(inDisparity: true))?.edgeWidth(relative: unit.isMetric) ?? 8
  }

  /// The map for the filters, with weight 1 for a value. On request, metres are converted to disparity.
  private func weighted(inDisparity: Bool) throws -> WeightedMap {
    let source = inDisparity && unit == .metres ? try self.inDisparity() : self
    return WeightedMap(
      height: height, width: width, values: source.values,
      weights: source.values.map { source.hasValue($0) ? 1 : 0 })
  }
}

extension RefinementMethod {
  /// Bytes that the threads' planes for the rows of large windows need more than the planes of usual windows.
  package func windowBytes(height: Int, width: Int, threads: Int) -> Int {
    func sides(_ radius: Int) -> Int { 2 * min(radius, max(height, width) - 1) }
    // A thread processes sixteen rows at a time, so further threads are idle.
    let working = min(threads, (height + 15) / 16)
    switch self {
    case .none, .joint: return 0
    case .bilateral(let filter) where !filter.comparesColors:
      return working * 2 * 4 * sides(filter.radius) * width
    case .bilateral(let filter):
      // Rows also have margins.
      let side = sides(filter.radius)
      return working * 5 * 4 * side * (width + side)
    }
  }

  fileprivate var worksInDisparity: Bool {
    if case .joint = self { true } else { false }
  }
}
