internal import Kernels
internal import Tensors

extension JointFilter {
  /// How many times larger than the map the result may be before it is reached in two steps.
  static let largestStep = 6
  /// The size between, times the map's.
  static let intermediateStep = 4

  /// Filters `map` near its own size and carries it to the photo's.
  ///
  /// - Parameters:
  ///   - map: `h × w`, no larger than the photo.
  ///   - photo: At the size of the result.
  ///   - reciprocal: Whether to return 1 / value.
  ///   - relative: Whether slopes count as shares of the value; otherwise of the range 0…1.
  ///   - missing: What stands for no value in the result.
  func refined(
    _ map: WeightedMap, photo: Image, reciprocal: Bool, relative: Bool, missing: Float, threads: Int
  ) -> [Float] {
    func guide(_ step: Int, from photo: Image) -> Image {
      areaAveraged(
        photo, height: min(photo.height, map.height * step),
        width: min(photo.width, map.width * step), threads: threads)
    }
    let inSteps = max(photo.height / map.height, photo.width / map.width) > Self.largestStep
    let middle = inSteps ? guide(Self.intermediateStep, from: photo) : photo
    let sigma = sigmaSpatial ?? Self.sigma(edgeWidth: map.edgeWidth(relative: relative))
    // Twice as fine, colours on thin objects are their own and not a mixture with what lies behind.
    let step = sigma < 1.5 ? 2 : 1
    let small = guide(step, from: middle)
    let workingSigma = sigma * Float(small.height) / Float(map.height)
    let tolerance = edgeTolerance * Float(map.height) / Float(small.height)

    var working = map.sharpened(sharpening, threads: threads).steady(
      edgeTolerance, relative: relative)
    for _ in 0..<passes {
      let values = jointBilateral(
        working, guide: small, radius: Int((3 * workingSigma).rounded(.up)),
        sigmaSpatial: workingSigma, sigmaRange: sigmaRange,
        missing: .nan, threads: threads)
      working = WeightedMap(
        height: small.height, width: small.width, values: values,
        weights: values.map { $0.isNaN ? 0 : 1 }
      ).steady(tolerance, relative: relative)
    }
    guard inSteps else {
      return jointUpsampled(
        working, guide: small, photo: photo, window: .cubic, sigmaRange: sigmaRange,
        reciprocal: reciprocal, missing: missing, threads: threads)
    }
    let values = jointUpsampled(
      working, guide: small, photo: middle, window: .cubic, sigmaRange: sigmaRange,
      reciprocal: false, missing: .nan, threads: threads)
    let fine = WeightedMap(
      height: middle.height, width: middle.width, values: values,
      weights: values.map { $0.isNaN ? 0 : 1 })
    return jointUpsampled(
      fine, guide: middle, photo: photo, window: .linear, sigmaRange: sigmaRange,
      reciprocal: reciprocal, missing: missing, threads: threads)
  }

  /// The spatial sigma for a map whose edges are that wide, both in pixels of the map: 0.6 up to 3.5,
  /// 3 from 5 on, a line between.
  static func sigma(edgeWidth: Float) -> Float {
    0.6 + 1.6 * min(max(edgeWidth - 3.5, 0), 1.5)
  }
}
