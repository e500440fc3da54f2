import DepthBase
import DepthImages

extension JointFilter {
  /// A result more than this many times the map's size is reached in two steps.
  static let largestStep = 6
  /// The size after the first step, times the map's.
  static let intermediateStep = 4
  /// How many times more a map with soft edges is sharpened than one with sharp edges.
  static let softSharpening: Float = 6
  /// How many times wider the range sigmas are for a map with soft edges than for one with sharp edges: its
  /// window is wider, so colors of one surface differ more inside it.
  static let softRange: Float = 1.5
  /// Spatial sigma for a map with sharp and for one with soft edges, pixels of the map: radii of five pixels of the doubled map and of
  /// eight of the map.
  static let sharpestSigma: Float = 0.83, softSigma: Float = 2.66
  /// From this spatial sigma on, filtering at twice the map's size shows nothing more.
  static let sharpSigma: Float = 1.275

  /// Filters `map` near its own size and carries it to the photo's.
  ///
  /// - Parameters:
  ///   - map: `h × w`, no larger than the photo.
  ///   - photo: At the size of the result.
  ///   - reciprocal: Whether to return 1 / value.
  ///   - relative: Whether values are disparities, whose slopes count as shares of the value; otherwise
  ///     they are shares of 0…1.
  ///   - missing: What the result holds where there is no value.
  /// - Throws: `CancellationError`.
  func refined(
    _ map: WeightedMap, photo: Image, reciprocal: Bool, relative: Bool, missing: Float,
    call: CallContext
  ) throws -> [Float] {
    let inSteps = max(photo.height / map.height, photo.width / map.width) > Self.largestStep
    let middle =
      inSteps
      ? areaAveraged(
        photo, height: min(photo.height, map.height * Self.intermediateStep),
        width: min(photo.width, map.width * Self.intermediateStep), threads: call.threads)
      : photo
    let steps = JointSteps(filter: self, map: map, relative: relative, call: call)
    let finish: MixedNumber =
      inSteps ? .same : reciprocal ? .reciprocal(missing: missing) : .value(missing: missing)
    let (stretched, gate) = try stretched(map, by: steps, to: middle, finish: finish)
    guard inSteps else { return stretched }
    try call.checkpoint(0.6)
    // Far above the map's size the photo's own colors place the edge once more.
    return try steps.upsampled(
      steps.weighted(stretched, at: middle), guide: middle, photo: photo, .linear,
      sigmaRange: sigmaRange, reciprocal: reciprocal, missing: missing,
      edges: gate.openBlocks(
        height: middle.height, width: middle.width, reach: 1, threads: call.threads)
    )
  }

  /// The map filtered and carried to the size of `photo`, smooth where the gate is shut, and that gate.
  ///
  /// - Parameter finish: What becomes of the result.
  /// - Throws: `CancellationError`.
  private func stretched(
    _ map: WeightedMap, by steps: JointSteps, to photo: Image, finish: MixedNumber
  ) throws -> (values: [Float], gate: EdgeGate) {
    let (relative, threads) = (steps.relative, steps.threads)
    let sharpness = Self.sharpness(edgeWidth: map.edgeWidth(relative: relative, threads: threads))
    let sigma = sigmaSpatial ?? Self.sigma(sharpness: sharpness)
    // Twice as fine, colors on thin objects are their own and not a mixture with the background.
    let isSharp = sigma < Self.sharpSigma
    let step = isSharp ? 2 : 1
    let small = areaAveraged(
      photo, height: min(photo.height, map.height * step),
      width: min(photo.width, map.width * step), threads: threads)
    var gate = EdgeGate(
      map, guide: isSharp ? nil : small, detail: detail, relative: relative, threads: threads)
    let range = 1 + (1 - sharpness) * (Self.softRange - 1)
    try steps.call.checkpoint(0.1)
    let coarse = try steps.refined(
      at: small, sigma: sigma, sigmaRange: sigmaRange * range,
      sharpening: sharpening * (sharpness + (1 - sharpness) * Self.softSharpening),
      backProjection: isSharp ? backProjection * sharpness : 0, gate: isSharp ? gate : nil)
    if !isSharp { gate.follow(coarse, threads: threads) }
    try steps.call.checkpoint(0.3)
    var joint = try steps.upsampled(
      coarse, guide: small, photo: photo, .cubic, sigmaRange: upsamplingSigma * range,
      blocks: gate.openBlocks(
        height: photo.height, width: photo.width, reach: 1, threads: threads))
    blend(
      &joint, height: photo.height, width: photo.width, with: gate.smooth, shares: gate.openness,
      range: LevelRange(of: coarse, within: 1, relative: relative, threads: threads),
      finish: finish, threads: threads)
    return (joint, gate)
  }

  /// The spatial sigma for a map of that sharpness, pixels of the map.
  static func sigma(sharpness: Float) -> Float {
    sharpestSigma + (softSigma - sharpestSigma) * (1 - sharpness)
  }

  /// 1 for edges up to 3.5 pixels wide, 0 from 5 on, a line between.
  static func sharpness(edgeWidth: Float) -> Float {
    1 - min(max(edgeWidth - 3.5, 0), 1.5) / 1.5
  }
}
