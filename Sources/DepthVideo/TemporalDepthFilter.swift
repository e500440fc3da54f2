import DepthErrors
public import DepthImages
import SystemEssentials

/// A temporal filter that removes the flicker of depth maps of successive frames.
///
/// A network estimates each frame separately, so sensor noise changes the maps from frame to frame. The noise slightly changes
/// the scale of the whole map and the depth of each surface. The filter keeps a running map, as the logarithm of depth, or as
/// relative disparity in shares of its range. The filter has three steps:
///
/// 1. **Lock.** The scale error of the frame is the median difference between the new and the running map, over pixels at
///    which the photo has not changed. Half of the error is subtracted. For relative disparity, a line through these pixels
///    gives the errors of scale and shift.
/// 2. **Filter.** At each pixel, the running map moves toward the new map by the share ``smoothing``, or less while the camera
///    is still. A pixel takes the new depth if both the photo and the depth have changed by more than noise. The noise of
///    depth is measured where the photo has not changed.
/// 3. **Cut.** If most of the photo has changed, the running map restarts with the new map.
///
/// ```swift
/// var filter = TemporalDepthFilter()
/// for photo in frames {
///   let network = try estimator.depth(of: photo, options: .unrefined)
///   let depth = try filter.filtered(network, photo: photo)
///   print(depth.median() ?? 0)  // metres
/// }
/// ```
///
/// > Source: Intel, librealsense, `temporal-filter.cpp`: α 0.4 and δ 20, an exponential filter that immediately accepts
/// > changes above δ. In librealsense, δ is a change of disparity; in this filter, it is a change of the photo and of ln
/// > depth.
public struct TemporalDepthFilter: Sendable {
  /// The weight of the new map where the photo has not changed, 0.01…1. While the camera is still, the weight is the square of
  /// this number. 1 disables the filter.
  public var smoothing: Float
  /// The change of the photo, 0…255 in any color, at which the new map has full weight. The weight begins to increase at half
  /// of this change. If the photo has little noise, smaller changes suffice, down to two fifths of this number.
  public var photoThreshold: Float

  /// Share of the scale error that remains after the lock.
  var scaleRate: Float = 0.5
  /// Minimum share of changed pixels at a cut.
  static let cutShare: Float = 0.7
  /// Change of ln depth at which the new map has full weight, for a changed photo and the largest noise.
  ///
  /// The weight begins to increase at two thirds of this change. A smaller change, for example after an edge has passed a
  /// surface, leaves the surface's depth unchanged.
  static let largestDepthThreshold: Float = 0.2
  /// Change of ln depth at which the new map has full weight, for a changed photo without noise.
  static let leastDepthThreshold: Float = 0.03
  /// Change of ln depth with full weight, in standard deviations of the noise.
  static let deviations: Float = 3
  /// Minimum share of unchanged pixels for estimating the noise of depth.
  static let noiseShare: Float = 0.05
  /// Number of frames in which a pixel can take new depth after the photo has changed.
  static let openFrames: Float = 3
  /// Share of changed pixels from which the camera counts as moving.
  static let movingShare: Float = 0.3

  struct Running: Sendable {
    var height, width: Int
    var unit: DepthMap.Unit
    var scale: SteadyScale
    /// Logarithms or shares on ``scale``; NaN without a value.
    var logDepth: [Float]
    /// The photo at the map's size, `h × w × 3`.
    var photo: [UInt8]
    /// The degree to which a change of the photo has opened each pixel to new depth, 0…1. It decays within ``openFrames``.
    var openness: [Float] = []
    /// Standard deviation of ln depth between frames; `nil` before the first measurement.
    var noise: Float?
  }

  var running: Running?
  /// Whether the last map was the first map, at the start or after a cut.
  private(set) var hasRestarted = false

  /// Creates a filter. ``filtered(_:photo:)`` throws `DepthError` unless `smoothing` is 0.01…1 and `photoThreshold` is at
  /// least 0.
  public init(smoothing: Float = 0.4, photoThreshold: Float = 20) {
    (self.smoothing, self.photoThreshold) = (smoothing, photoThreshold)
  }

  /// A plain exponential filter that never restarts, for comparison with the steps above.
  static var exponential: TemporalDepthFilter {
    var filter = TemporalDepthFilter(photoThreshold: .infinity)
    filter.scaleRate = 1
    return filter
  }

  /// Discards the running map, so that the next frame is treated as the first.
  public mutating func reset() { running = nil }

  /// The filtered map of the next frame.
  ///
  /// The bits of the result depend only on the maps and photos so far.
  ///
  /// - Parameters:
  ///   - depth: A map of any size in metres, disparity or relative disparity. Filter the network's own map, then refine the
  ///     result.
  ///   - photo: The frame that the map belongs to.
  /// - Throws: `DepthError`: code `unknownUnit` for a normalized map; code `invalidArgument` for settings out of
  ///   range.
  public mutating func filtered(_ depth: DepthMap, photo: Image) throws -> DepthMap {
    if case .normalized = depth.unit { throw DepthError.noUnit(for: "steadying") }
    var scale = SteadyScale(for: depth)
    try smoothing.checked(in: 0.01...1, "the smoothing", "0.01 to 1")
    try photoThreshold.checked(in: 0 ... .infinity, "the photo threshold", "at least 0")
    let small = areaAveraged(photo, height: depth.height, width: depth.width, threads: 1).pixels
    var logDepth = scale.encoded(depth)
    hasRestarted = true
    var openness = [Float](repeating: 0, count: logDepth.count)
    var noise: Float?
    if let last = running,
      (last.height, last.width, last.unit) == (depth.height, depth.width, depth.unit)
    {
      let change = PhotoChange(
        from: last.photo, to: small, height: depth.height, width: depth.width)
      if change.share(above: photoThreshold) <= Self.cutShare {
        hasRestarted = false
        if scale != last.scale {
          scale = last.scale
          logDepth = scale.encoded(depth)
        }
        openness = opened(last.openness, by: change)
        noise = filter(&logDepth, last: last, change: change, openness: openness)
      }
    }
    running = Running(
      height: depth.height, width: depth.width, unit: depth.unit, scale: scale, logDepth: logDepth,
      photo: small, openness: openness, noise: noise)
    guard !hasRestarted else { return depth }
    return DepthMap(
      height: depth.height, width: depth.width, unit: depth.unit,
      values: scale.decoded(logDepth, as: depth.unit))
  }

  /// Whether the next frame begins a new shot: the frame is the first, or most pixels have changed.
  ///
  /// - Parameters:
  ///   - photo: The frame.
  ///   - height: Rows of the frame's map.
  ///   - width: Columns of the frame's map.
  func isCut(at photo: Image, height: Int, width: Int) -> Bool {
    guard let running, (running.height, running.width) == (height, width) else { return true }
    let small = areaAveraged(photo, height: height, width: width, threads: 1).pixels
    return PhotoChange(from: running.photo, to: small, height: height, width: width)
      .share(above: photoThreshold) > Self.cutShare
  }

  /// - Returns: The noise of ln depth, measured in this or an earlier frame.
  private func filter(
    _ logDepth: inout [Float], last: Running, change: PhotoChange, openness: [Float]
  ) -> Float? {
    if last.scale.isRelative { lock(&logDepth, to: last.logDepth, change: change) }
    let unchanged = unchangedDifferences(of: logDepth, last: last.logDepth, change: change)
    // The line has already corrected the shift.
    let offset =
      last.scale.isRelative ? 0 : (1 - scaleRate) * scaleError(unchanged, of: logDepth.count)
    let noise = depthNoise(unchanged, offset: offset, of: logDepth.count) ?? last.noise
    let threshold = min(
      max(Self.deviations * (noise ?? .infinity), Self.leastDepthThreshold),
      Self.largestDepthThreshold)
    let least = leastShare(of: change)
    for index in logDepth.indices {
      let new = logDepth[index] - offset
      let difference = new - last.logDepth[index]
      let felt = Self.opening(abs(difference), from: threshold * 2 / 3, to: threshold)
      let share = least + (1 - least) * openness[index] * felt
      // The difference is NaN if either value is missing. The new value, which may be missing, is then used.
      logDepth[index] = difference.isNaN ? new : last.logDepth[index] + difference * share
    }
    return noise
  }

  /// Corrects half of the errors of scale and shift, or less if unchanged pixels are a minority.
  private func lock(_ shares: inout [Float], to last: [Float], change: PhotoChange) {
    let unchanged = shares.indices.filter { change.levels[$0] <= photoThreshold / 2 }
    let line = SteadyLine(from: shares, to: last, at: unchanged)
    let evidence = min(1, 2 * Float(unchanged.count) / Float(shares.count))
    for index in shares.indices {
      shares[index] = line.moved(shares[index], by: (1 - scaleRate) * evidence)
    }
  }

  /// A linear ramp from 0 at `low` to 1 at `high`.
  private static func opening(_ value: Float, from low: Float, to high: Float) -> Float {
    high > low ? min(max((value - low) / (high - low), 0), 1) : (value >= high ? 1 : 0)
  }

  /// The openness of each pixel, from the photo's change beyond noise and the remaining openness.
  private func opened(_ before: [Float], by change: PhotoChange) -> [Float] {
    guard photoThreshold < .infinity else { return change.levels.map { _ in 0 } }
    let noise = sortedElement(of: change.levels, at: change.levels.count / 2)
    let threshold = min(max(6 * noise, 0.4 * photoThreshold), photoThreshold)
    return change.levels.indices.map { index in
      let seen = Self.opening(change.levels[index], from: threshold / 2, to: threshold)
      return max(seen, before[index] - 1 / Self.openFrames)
    }
  }

  /// The weight of the new map where the photo has not changed.
  ///
  /// The weight is smaller if hardly any pixel has changed, because the camera is then still and distances are constant.
  private func leastShare(of change: PhotoChange) -> Float {
    guard photoThreshold < .infinity else { return smoothing }
    let moving = change.share(above: photoThreshold / 2)
    let stillness = max(0, 1 - moving / Self.movingShare)
    return pow(smoothing, 1 + stillness)
  }

  /// Differences from the running map where the photo has not changed.
  private func unchangedDifferences(
    of logDepth: [Float], last: [Float], change: PhotoChange
  ) -> [Float] {
    var differences: [Float] = []
    differences.reserveCapacity(logDepth.count)
    for index in logDepth.indices where change.levels[index] <= photoThreshold / 2 {
      let difference = logDepth[index] - last[index]
      if !difference.isNaN { differences.append(difference) }
    }
    return differences
  }

  /// The median difference over unchanged pixels, reduced if unchanged pixels are a minority.
  private func scaleError(_ differences: [Float], of count: Int) -> Float {
    guard !differences.isEmpty else { return 0 }
    let evidence = min(1, 2 * Float(differences.count) / Float(count))
    return evidence * sortedElement(of: differences, at: differences.count / 2)
  }

  /// The standard deviation of the differences, from their median; `nil` for too few unchanged pixels.
  private func depthNoise(_ differences: [Float], offset: Float, of count: Int) -> Float? {
    guard !differences.isEmpty, Float(differences.count) >= Self.noiseShare * Float(count) else {
      return nil
    }
    // Half of the values of a normal distribution are within .6745 standard deviations.
    return sortedElement(
      of: differences.map { abs($0 - offset) }, at: differences.count / 2) / 0.6745
  }
}
