internal import Kernels
internal import Tensors

extension JointFilter {
  /// How many times larger than the map the result may be before it takes an intermediate size.
  static let largestStep = 6
  /// The intermediate size, times the map's.
  static let intermediateStep = 4

  /// Refines `map` at its own size and carries it to the photo's.
  ///
  /// - Parameters:
  ///   - map: `h × w`, no larger than the photo.
  ///   - photo: At the size of the result.
  ///   - reciprocal: Whether to return 1 / value.
  ///   - relative: Whether deviations count as shares of the value; otherwise of the range 0…1.
  ///   - missing: What stands for no value in the result.
  func refined(
    _ map: WeightedMap, photo: Image, reciprocal: Bool, relative: Bool, missing: Float, threads: Int
  ) -> [Float] {
    let inSteps = max(photo.height / map.height, photo.width / map.width) > Self.largestStep
    let middle =
      inSteps
      ? areaAveraged(
        photo, height: min(photo.height, map.height * Self.intermediateStep),
        width: min(photo.width, map.width * Self.intermediateStep), threads: threads)
      : photo
    let guide = areaAveraged(middle, height: map.height, width: map.width, threads: threads)

    var map = map
    for _ in 0..<passes {
      let values = jointBilateral(
        map.steady(edgeTolerance, relative: relative), guide: guide, radius: radius,
        sigmaSpatial: sigmaSpatial, sigmaRange: sigmaRange, missing: 0, threads: threads)
      map = map.with(values)
    }
    let steady = map.steady(edgeTolerance, relative: relative)
    guard inSteps else {
      return jointUpsampled(
        steady, guide: guide, photo: photo, window: .cubic, sigmaRange: sigmaRange,
        reciprocal: reciprocal, missing: missing, threads: threads)
    }
    let values = jointUpsampled(
      steady, guide: guide, photo: middle, window: .cubic, sigmaRange: sigmaRange,
      reciprocal: false, missing: .nan, threads: threads)
    let fine = WeightedMap(
      height: middle.height, width: middle.width, values: values,
      weights: values.map { $0.isNaN ? 0 : 1 })
    return jointUpsampled(
      fine, guide: middle, photo: photo, window: .linear, sigmaRange: sigmaRange,
      reciprocal: reciprocal, missing: missing, threads: threads)
  }
}
