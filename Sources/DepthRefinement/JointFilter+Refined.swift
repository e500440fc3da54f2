import DepthBase
import DepthImages

extension JointFilter {
  /// The largest enlargement in a single step. Larger enlargements take two steps.
  static let largestStep = 6
  /// The enlargement of the first of two steps.
  static let intermediateStep = 4
  /// The factor of the sharpening for maps with soft edges, relative to maps with sharp edges.
  static let softSharpening: Float = 6
  /// The factor of the range sigmas for maps with soft edges, relative to maps with sharp edges. The window for soft edges is
  /// wider, so colors of one surface differ more inside it.
  static let softRange: Float = 1.5
  /// Spatial sigma for maps with soft edges, in pixels of the map; the radius is eight pixels.
  static let softSigma: Float = 2.66
  /// Smallest spatial sigma for which filtering above the map's size has no benefit.
  static let sharpSigma: Float = 1.275

  /// Filters `map` near its own size, and upsamples it to the photo's size.
  ///
  /// - Parameters:
  ///   - map: `h × w`, no larger than the photo.
  ///   - photo: The photo at the size of the result.
  ///   - reciprocal: Whether to return 1 / value.
  ///   - relative: Whether values are disparities, with slopes as shares of the value, instead of shares of 0…1.
  ///   - missing: The result of pixels without a value.
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
    // If the enlargement is large, the photo's own colors place the edge again.
    return try steps.upsampled(
      steps.weighted(stretched, at: middle), guide: middle, photo: photo, .linear,
      sigmaRange: sigmaRange, reciprocal: reciprocal, missing: missing,
      edges: gate.openBlocks(
        height: middle.height, width: middle.width, reach: 1, threads: call.threads)
    )
  }

  /// The filtered map at the size of `photo`, which is smooth where the gate is shut, and the gate.
  ///
  /// - Parameter finish: The conversion of the result.
  /// - Throws: `CancellationError`.
  private func stretched(
    _ map: WeightedMap, by steps: JointSteps, to photo: Image, finish: MixedNumber
  ) throws -> (values: [Float], gate: EdgeGate) {
    let (relative, threads) = (steps.relative, steps.threads)
    let sharpness = Self.sharpness(edgeWidth: map.edgeWidth(relative: relative, threads: threads))
    let settings = SharpMapSettings(height: map.height, width: map.width)
    let sigma = sigmaSpatial ?? settings.sigma(sharpness: sharpness)
    // At a higher resolution, colors of thin objects do not mix with the background.
    let isSharp = sigma < Self.sharpSigma
    let (height, width) =
      isSharp
      ? (settings.enlarged(map.height), settings.enlarged(map.width)) : (map.height, map.width)
    let small = areaAveraged(
      photo, height: min(photo.height, height), width: min(photo.width, width), threads: threads)
    var gate = EdgeGate(
      map, guide: isSharp ? nil : small, detail: detail, relative: relative, threads: threads)
    let range = 1 + (1 - sharpness) * (Self.softRange - 1)
    try steps.call.checkpoint(0.1)
    let coarse = try steps.refined(
      at: small, sigma: sigma, sigmaRange: sigmaRange * range,
      sharpening: (sharpening ?? settings.sharpening)
        * (sharpness + (1 - sharpness) * Self.softSharpening),
      backProjection: isSharp ? backProjection * sharpness : 0, gate: isSharp ? gate : nil)
    if !isSharp { gate.follow(coarse, threads: threads) }
    try steps.call.checkpoint(0.3)
    var joint = try steps.upsampled(
      coarse, guide: small, photo: photo, .cubic, sigmaRange: upsamplingSigma * range,
      blocks: gate.openBlocks(
        height: photo.height, width: photo.width, reach: 1, threads: threads))
    blend(
      &joint, height: photo.height, width: photo.width, with: gate.smooth, shares: gate.openness,
      range: LevelRange(
        of: coarse, within: isSharp ? settings.levelReach : 1, relative: relative, threads: threads),
      finish: finish, threads: threads)
    return (joint, gate)
  }

  /// 1 for edges up to 3.5 pixels wide, 0 from 5 pixels, linear in between.
  static func sharpness(edgeWidth: Float) -> Float {
    1 - min(max(edgeWidth - 3.5, 0), 1.5) / 1.5
  }
}
