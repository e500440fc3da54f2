public import DepthImages
import ProcessLimits
import ThreadTeams

extension DepthMap {
  /// This map with edges where the photo has them.
  ///
  /// Map and photo are taken to show the same scene from border to border, whatever their shapes;
  /// ``checkAspect(of:)`` tells whether the shapes agree. Pixels without a value do not spread to
  /// their neighbors and stay without one in the result, unless `fillsMissing` asks for values, which come from
  /// nearby pixels of similar color.
  ///
  /// - Parameters:
  ///   - photo: The photo this map belongs to.
  ///   - method: How; see ``RefinementMethod``.
  ///   - resolution: How large the result is.
  ///   - fillsMissing: Whether pixels without a value get one. A map without any value stays so.
  ///   - threads: Threads to use, 1…256, as many as there are processors by default; the bits do not
  ///     depend on it.
  /// - Returns: A map in the same unit.
  /// - Throws: `DepthError` for a number of threads, a size or a filter's setting outside what its
  ///   documentation allows.
  /// - Complexity: `.joint` needs little memory beside its result: the map's own size, and sixteen
  ///   times that where the photo is more than six times as large.
  public func refined(
    guidedBy photo: Image, method: RefinementMethod = .joint(JointFilter()),
    resolution: OutputResolution = .photo, fillsMissing: Bool = false, threads: Int? = nil
  ) throws -> DepthMap {
    let threads = try ThreadCount.checked(threads)
    try method.check()
    let (height, width) = try resolution.size(of: self, photo: photo)
    let missing: Float = if case .normalized = unit { .nan } else { 0 }
    var map = try weighted(inDisparity: method.worksInDisparity)
      .reduced(height: height, width: width)
    if fillsMissing { map = map.filled() }

    let values: [Float]
    switch method {
    case .none:
      values = gaussianBlurred(
        map, height: height, width: width, radius: 0, sigma: 1, missing: missing, threads: threads)
    case .gaussian(let filter):
      values = gaussianBlurred(
        map, height: height, width: width, radius: filter.radius, sigma: filter.sigma,
        missing: missing, threads: threads)
    case .article(let filter):
      let guide = areaAveraged(photo, height: height, width: width, threads: threads)
      values = jointBilateral(
        map, guide: guide, radius: filter.radius, sigmaSpatial: filter.sigmaSpatial,
        sigmaRange: filter.sigmaRange, missing: missing, threads: threads)
    case .joint(let filter):
      let guide = areaAveraged(photo, height: height, width: width, threads: threads)
      values = filter.refined(
        map, photo: guide, reciprocal: unit == .metres, relative: isMetric, missing: missing,
        threads: threads)
    }
    return DepthMap(height: height, width: width, unit: unit, values: values)
  }

  /// Whether values have a meaningful zero, so that shares of them have a meaning.
  private var isMetric: Bool {
    if case .normalized = unit { false } else { true }
  }

  /// The map for the filters: metres turned into disparity on request, weight 1 for a value.
  private func weighted(inDisparity: Bool) throws -> WeightedMap {
    let source = inDisparity && unit == .metres ? try self.inDisparity : self
    return WeightedMap(
      height: height, width: width, values: source.values,
      weights: source.values.map { source.hasValue($0) ? 1 : 0 })
  }
}

extension RefinementMethod {
  fileprivate var worksInDisparity: Bool {
    if case .joint = self { true } else { false }
  }
}
