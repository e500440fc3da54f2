import DepthImages

extension JointFilter {
  /// How many times larger than the map the result may be before it is reached in two steps.
  static let largestStep = 6
  /// The size between, times the map's.
  static let intermediateStep = 4
  /// Spatial sigma of the pass at the photo's size, pixels of the map.
  static let fineSigma: Float = 0.25
  /// Wider windows than this leave nothing that a finer grid could show.
  static let sharpSigma: Float = 1.5

  /// Filters `map` near its own size and carries it to the photo's.
  ///
  /// - Parameters:
  ///   - map: `h × w`, no larger than the photo.
  ///   - photo: At the size of the result.
  ///   - reciprocal: Whether to return 1 / value.
  ///   - relative: Whether values are disparities, whose slopes count as shares of the value; otherwise
  ///     they are shares of 0…1.
  ///   - missing: What stands for no value in the result.
  func refined(
    _ map: WeightedMap, photo: Image, reciprocal: Bool, relative: Bool, missing: Float, threads: Int
  ) -> [Float] {
    func guide(_ step: Int, from photo: Image) -> Image {
      areaAveraged(
        photo, height: min(photo.height, map.height * step),
        width: min(photo.width, map.width * step), threads: threads)
    }
    let steps = JointSteps(filter: self, map: map, relative: relative, threads: threads)
    let inSteps = max(photo.height / map.height, photo.width / map.width) > Self.largestStep
    let middle = inSteps ? guide(Self.intermediateStep, from: photo) : photo
    let width = map.edgeWidth(relative: relative)
    let sigma = sigmaSpatial ?? Self.sigma(edgeWidth: width)
    guard sigma < Self.sharpSigma else {
      let small = guide(1, from: middle)
      let coarse = steps.refined(at: small, sigma: sigma, backProjection: 0)
      guard inSteps else {
        return steps.upsampled(
          coarse, guide: small, photo: photo, .cubic, reciprocal: reciprocal, missing: missing)
      }
      let fine = steps.upsampled(coarse, guide: small, photo: middle, .cubic)
      return steps.upsampled(
        steps.present(fine, at: middle), guide: middle, photo: photo, .linear,
        reciprocal: reciprocal, missing: missing)
    }
    // Twice as fine, colours on thin objects are their own and not a mixture with what lies behind.
    let small = guide(2, from: middle)
    let coarse = steps.refined(
      at: small, sigma: sigma, backProjection: backProjection * Self.sharpness(edgeWidth: width))
    let stretched = steps.upsampled(coarse, guide: small, photo: middle, .cubic)
    guard inSteps else {
      let fine = steps.filtered(
        steps.steady(steps.present(stretched, at: middle)), guide: middle, sigma: Self.fineSigma)
      return fine.map { $0.isNaN ? missing : reciprocal ? 1 / $0 : $0 }
    }
    // Far above the map's size the photo's own colours place the edge once more anyway.
    return steps.upsampled(
      steps.present(stretched, at: middle), guide: middle, photo: photo, .linear,
      reciprocal: reciprocal, missing: missing)
  }

  /// The spatial sigma for a map whose edges are that wide, both in pixels of the map: 0.6 up to 3.5,
  /// 3 from 5 on, a line between.
  static func sigma(edgeWidth: Float) -> Float {
    0.6 + 1.6 * (1.5 - 1.5 * sharpness(edgeWidth: edgeWidth))
  }

  /// 1 for edges up to 3.5 pixels wide, 0 from 5 on, a line between.
  static func sharpness(edgeWidth: Float) -> Float {
    1 - min(max(edgeWidth - 3.5, 0), 1.5) / 1.5
  }
}
