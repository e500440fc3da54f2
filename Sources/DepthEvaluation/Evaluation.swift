/// The measurement of predictors on a data set.
package struct Evaluation: Sendable {
  /// A measured frame, with the errors of every row.
  package struct Frame: Sendable {
    /// The frame's index in the data set.
    package let index: Int
    package let name: String
    package let errors: [FrameErrors]
  }

  package let rows: [EvaluationRow]
  package let predictorNames: [String]
  package let frames: [Frame]
  package let skipped: [SkippedFrame]
  /// Time from the start of the first frame to the end of the last frame.
  package let duration: Duration

  /// Measured frames per second.
  package var framesPerSecond: Double {
    let seconds = duration / .seconds(1)
    return seconds > 0 ? Double(frames.count) / seconds : 0
  }

  /// Measures every frame.
  ///
  /// - Parameters:
  ///   - workers: Number of frames in progress at a time, which does not affect results.
  ///   - report: Called after each frame with the number of completed frames, by one worker at a
  ///     time.
  /// - Throws: `DepthError` with code `incompleteDataset` if all frames are skipped. A frame that cannot be read or
  ///   measured is skipped.
  package init(
    _ evaluator: Evaluator, on dataset: any EvaluationDataset, workers: Int,
    report: @Sendable (_ done: Int, _ name: String) -> Void = { _, _ in }
  ) throws {
    let names = dataset.frameNames
    let measured = try MeasuredFrames(
      of: dataset, workers: workers, report: report, measure: evaluator.errors)
    frames = measured.frames.map {
      .init(index: $0.index, name: names[$0.index], errors: $0.measures)
    }
    (skipped, duration) = (measured.skipped, measured.duration)
    rows = evaluator.rows
    predictorNames = evaluator.predictors.map(\.name)
  }

  /// The measures of a row, combined over frames according to the row's protocol.
  package func metrics(ofRow row: Int) -> DepthMetrics {
    let errors = frames.map { $0.errors[row] }
    return rows[row].evaluation.averagesFrames
      ? DepthMetrics(averaging: errors) : DepthMetrics(pooling: errors)
  }

  /// The frames with the largest relative error in the first row, worst first.
  package func worst(_ count: Int) -> [Frame] {
    let ranked = frames.map { (rel: DepthMetrics($0.errors[0]).rel, frame: $0) }
      .sorted { ($0.rel, $1.frame.index) > ($1.rel, $0.frame.index) }
    return ranked.prefix(count).map(\.frame)
  }
}
