import DepthBase

extension WeightedMap {
  /// The map, with weights reduced by its slope: `weight / (1 + (slope / limit)²)` with
  /// `limit = tolerance · value`.
  ///
  /// Pixels on the ramp between two depths belong to neither surface, so their weight is reduced. Local maxima
  /// and minima keep their weight: the slope is 0 unless the map rises or falls on both sides, so the middle of
  /// a thin object is not affected. On an evenly slanted surface, all weights are reduced evenly, which does
  /// not affect a weighted mean.
  ///
  /// - Parameters:
  ///   - tolerance: Slope per pixel that halves the weight.
  ///   - relative: Whether `tolerance` is a share of the value instead of a share of 0…1.
  func downweightingSlopes(
    _ tolerance: Float, relative: Bool, isa: InstructionSet = .current, threads: Int
  ) -> WeightedMap {
    let (height, width, hasMissing, kernels) = (height, width, hasMissing, RefinementKernels(isa))
    let lowered: [Float] = filledRows(height: height, width: width, grain: 32, threads: threads) {
      rows, out in
      let (values, weights) = (values.span, weights.span)
      out.forEachRow(rows, width: width) { y, out in
        let near = max(y - 1, 0) * width..<min(y + 2, height) * width
        kernels.slopeWeights(
          values.extracting(near), weights.extracting(near), row: min(y, 1),
          missing: hasMissing, relative: relative, tolerance: tolerance, into: &out)
      }
    }
    return with(weights: lowered)
  }
}
