import DepthBase

extension WeightedMap {
  /// The map with weights reduced by its slope: `weight / (1 + (slope / limit)²)` with
  /// `limit = tolerance · value`.
  ///
  /// Pixels on the ramp between two depths belong to neither surface, so they lose weight. Local maxima and
  /// minima keep theirs: the slope is 0 unless the map rises or falls on both sides, so the middle of a thin
  /// object keeps its weight. An evenly slanted surface loses weight evenly, without effect on a weighted mean.
  ///
  /// - Parameters:
  ///   - tolerance: Slope per pixel that halves the weight.
  ///   - relative: Whether `tolerance` is a share of the value; otherwise it is a share of 0…1.
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
