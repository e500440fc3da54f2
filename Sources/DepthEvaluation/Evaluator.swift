import Kernels
package import Tensors

/// One row of the table: a predictor under a protocol.
package struct EvaluationRow: Sendable, Hashable {
  /// Index of the predictor.
  package let predictor: Int
  package let evaluation: EvaluationProtocol
  /// Whether every map is first scaled to the truth's median.
  package let scalesMedian: Bool

  package init(predictor: Int, evaluation: EvaluationProtocol, scalesMedian: Bool) {
    (self.predictor, self.evaluation) = (predictor, evaluation)
    self.scalesMedian = scalesMedian
  }
}

/// Measures predictors on frames.
package struct Evaluator: Sendable {
  /// Brings a map to the height and width of the truth, in 64 bits; gets the frame for its photo.
  package typealias Upsampling = @Sendable (DepthMap, EvaluationFrame) -> [Double]

  package let predictors: [Predictor]
  package let rows: [EvaluationRow]
  /// Bilinear, as every protocol asks for.
  package var upsampling: Upsampling = { map, frame in
    resizedBilinearDoubles(
      map.values, height: map.height, width: map.width, toHeight: frame.truth.height,
      width: frame.truth.width, threads: 1)
  }

  /// - Parameters:
  ///   - protocols: Rows of each predictor, in this order.
  ///   - scalesMedian: Whether each row is followed by one with median scaling.
  package init(
    _ predictors: [Predictor], protocols: [EvaluationProtocol], scalesMedian: Bool = false
  ) {
    self.predictors = predictors
    rows = predictors.indices.flatMap { predictor in
      protocols.flatMap { evaluation in
        (scalesMedian ? [false, true] : [false]).map {
          EvaluationRow(predictor: predictor, evaluation: evaluation, scalesMedian: $0)
        }
      }
    }
  }

  /// The errors of every row on one frame.
  ///
  /// A predictor sees each framing once, however many protocols share it.
  ///
  /// - Throws: What a predictor throws, or ``EvaluationError/noTruth(frame:protocol:)``.
  package func errors(on frame: EvaluationFrame) throws -> [FrameErrors] {
    var maps: [Framing: [Double]] = [:]
    var predictor = -1
    return try rows.map { row in
      if row.predictor != predictor {
        maps = [:]
        predictor = row.predictor
      }
      let framing = row.evaluation.framing
      let map = try maps[framing] ?? prediction(of: row, on: frame)
      maps[framing] = map
      return try FrameErrors(
        of: map, truth: frame.truth, under: row.evaluation, scalesMedian: row.scalesMedian,
        name: frame.name)
    }
  }

  /// A row's prediction at the size of the truth, before anything is clamped or scaled.
  func prediction(of row: EvaluationRow, on frame: EvaluationFrame) throws -> [Double] {
    upsampling(try predictors[row.predictor](frame, row.evaluation.framing), frame)
  }
}
