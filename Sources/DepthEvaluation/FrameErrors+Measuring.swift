import DepthErrors
package import DepthImages

extension FrameErrors {
  /// Measures one prediction.
  ///
  /// The prediction is stretched bilinearly to the truth's size, as in every protocol. Stretching is row by
  /// row, since whole maps of doubles would exceed the caches.
  ///
  /// - Parameters:
  ///   - prediction: A map of any size in metres or disparity, or in relative disparity if the protocol aligns
  ///     it.
  ///   - truth: True depths in metres; 0 or not finite for unmeasured pixels.
  ///   - evaluation: The protocol, which determines the pixels, the largest depth and the adjustment.
  ///   - scalesMedian: Whether a protocol without an adjustment adjusts the scale.
  /// - Throws: `DepthError` that names the frame: code `noDepth` if no true depth counts; code `unknownUnit` for a map
  ///   that the protocol cannot measure.
  package init(
    of prediction: DepthMap, truth: DepthMap, under evaluation: EvaluationProtocol,
    scalesMedian: Bool = false, name: String
  ) throws {
    let region = evaluation.region(height: truth.height, width: truth.width)
    let adjustment = evaluation.adjustment(scalesMedian: scalesMedian)
    let prediction = try prediction.measured(after: adjustment, name: name)
    var rows = BilinearRows(
      prediction.values, height: prediction.height, width: prediction.width,
      toHeight: truth.height, width: truth.width)
    let fitted = try FittedAdjustment(
      adjustment, of: &rows, unit: prediction.unit, truth: truth, in: region, name: name,
      under: evaluation)
    let highest = evaluation.largestDepth
    // Most maps need no clamping. Rounding may make an interpolated depth exceed both neighbors.
    let unclamped = EvaluationProtocol.smallestDepth * 1.0001...highest * 0.9999
    let isInside =
      fitted.keepsDepths && prediction.values.allSatisfy { unclamped.contains(Double($0)) }
    var clamped = 0
    var comparison = DepthComparison(truth: truth.values, width: truth.width, in: region)
    var row = [Double](repeating: 0, count: truth.width)
    var above = row
    for y in 0..<truth.height {
      swap(&row, &above)
      rows.fill(row: y, &row)
      if !isInside { clamped += fitted.adjust(&row, upTo: highest) }
      comparison.add(row: y, row, above: above)
    }
    guard comparison.sums.count > 0 else {
      throw DepthError.noTruth(frame: name, protocol: evaluation.rawValue)
    }
    self.init(
      sums: comparison.sums, boundaryF1: comparison.boundaries.f1, clamped: clamped,
      holes: region.rows.count * region.columns.count - comparison.sums.count)
  }
}

extension DepthMap {
  /// The map that is stretched to the truth's size. It is in disparity only if the adjustment uses disparity.
  func measured(after adjustment: MapAdjustment, name: String) throws -> DepthMap {
    let isKnown = unit.isMetric || unit == .relativeDisparity && adjustment == .disparityAlignment
    guard isKnown else { throw DepthError.notMetric(file: name) }
    return unit == .disparity && adjustment != .disparityAlignment ? try inMetres() : self
  }
}
