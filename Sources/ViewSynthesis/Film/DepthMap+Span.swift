package import DepthImages

extension DepthMap {
  /// The map's own span, for views.
  ///
  /// - Returns: `nil` for a map without values.
  package func span(for options: StereoOptions, threads: Int) -> DepthSpan? {
    guard let range = valueRange(threads: threads) else { return nil }
    // The shift in films is linear in disparity.
    let normalization = NormalizedDisparity(unit: unit, range: range)
    var span = DepthSpan(near: normalization.near, far: normalization.far)
    if options.convergence == nil {
      let filled =
        range.missing == 0
        ? values
        : fillingMissingDepth(values, height: height, width: width, unit: unit, threads: threads)
      span.plane = normalization.middleDepth(filled, height: height, width: width)
    }
    return span
  }
}
