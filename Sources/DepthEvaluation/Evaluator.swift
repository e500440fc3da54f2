import DepthImages

/// A row of the table, with a predictor and a protocol.
package struct EvaluationRow: Sendable, Hashable {
  /// Index of the predictor.
  package let predictor: Int
  package let evaluation: EvaluationProtocol
  /// Whether every map is first scaled to the truth's median.
  package let scalesMedian: Bool

  /// The adjustment of each map.
  package var adjustment: MapAdjustment { evaluation.adjustment(scalesMedian: scalesMedian) }
}

/// Measures predictors on frames.
package struct Evaluator: Sendable {
  package let predictors: [Predictor]
  package let rows: [EvaluationRow]

  /// - Parameters:
  ///   - protocols: Protocols of each predictor's rows, in order. Relative disparity uses only the protocols
  ///     that align it.
  ///   - scalesMedian: Whether each row whose protocol adjusts no maps is followed by a row with median
  ///     scaling.
  package init(
    _ predictors: [Predictor], protocols: [EvaluationProtocol], scalesMedian: Bool = false
  ) {
    self.predictors = predictors
    rows = predictors.indices.flatMap { predictor in
      protocols.filter(predictors[predictor].isMeasured).flatMap { evaluation in
        (scalesMedian && evaluation.adjustment() == .none ? [false, true] : [false]).map {
          EvaluationRow(predictor: predictor, evaluation: evaluation, scalesMedian: $0)
        }
      }
    }
  }

  /// The errors of every row on one frame.
  ///
  /// A predictor runs once per framing, even if several protocols have this framing. Protocols that differ
  /// only in the combination of frames are measured once.
  ///
  /// - Throws: The predictor's `DepthError`; `DepthError` with code `noDepth` for a frame without truth.
  package func errors(on frame: EvaluationFrame) throws -> [FrameErrors] {
    var maps: [Framing: DepthMap] = [:]
    var measured: [Measurement: FrameErrors] = [:]
    var predictor = -1
    return try rows.map { row in
      if row.predictor != predictor {
        (maps, measured) = ([:], [:])
        predictor = row.predictor
      }
      let measurement = Measurement(row, of: frame.truth)
      if let known = measured[measurement] { return known }
      let map = try maps[measurement.framing] ?? prediction(of: row, on: frame)
      maps[measurement.framing] = map
      let errors = try FrameErrors(
        of: map, truth: frame.truth, under: row.evaluation, scalesMedian: row.scalesMedian,
        name: frame.name)
      measured[measurement] = errors
      return errors
    }
  }

  /// A row's unchanged prediction, in metres or disparity and of any size.
  func prediction(of row: EvaluationRow, on frame: EvaluationFrame) throws -> DepthMap {
    try predictors[row.predictor](frame, row.evaluation.framing)
  }
}

/// A row's measurement of a predictor on a frame.
private struct Measurement: Hashable {
  let framing: Framing
  let region: DepthRegion
  let largestDepth: Double
  let adjustment: MapAdjustment

  init(_ row: EvaluationRow, of truth: DepthMap) {
    framing = row.evaluation.framing
    region = row.evaluation.region(height: truth.height, width: truth.width)
    largestDepth = row.evaluation.largestDepth
    adjustment = row.adjustment
  }
}
