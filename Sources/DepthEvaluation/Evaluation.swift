import DepthBase
import DepthErrors
import Synchronization

/// Predictors measured on a data set.
package struct Evaluation: Sendable {
  /// One frame that counts, with the errors of every row.
  package struct Frame: Sendable {
    /// Its index in the data set.
    package let index: Int
    package let name: String
    package let errors: [FrameErrors]
  }

  package let rows: [EvaluationRow]
  package let predictorNames: [String]
  package let frames: [Frame]
  package let skipped: [SkippedFrame]
  /// Time from the start of the first frame to the end of the last one.
  package let duration: Duration

  /// Measured frames per second.
  package var framesPerSecond: Double {
    let seconds = duration / .seconds(1)
    return seconds > 0 ? Double(frames.count) / seconds : 0
  }

  /// Measures every frame.
  ///
  /// Frames are taken one by one by as many workers as there are threads, and a worker reads, predicts and
  /// measures its frame alone: while one decodes, the others keep the processor busy with the network,
  /// and none waits for another. Predictors should therefore use one thread each.
  ///
  /// - Parameters:
  ///   - workers: Frames in progress at once; results do not depend on it.
  ///   - report: Called after each frame, by one worker at a time, with the number of frames done.
  /// - Throws: `DepthError` with code `incompleteDataset`. A frame that cannot be read or
  ///   measured is skipped.
  package init(
    _ evaluator: Evaluator, on dataset: any EvaluationDataset, workers: Int,
    report: @Sendable (_ done: Int, _ name: String) -> Void = { _, _ in }
  ) throws {
    let names = dataset.frameNames
    let gathered = Gathered(count: names.count)
    let clock = ContinuousClock()
    let start = clock.now
    parallelFor(names.count, threads: workers) { range in
      for index in range {
        let outcome: Result<[FrameErrors], any Error> = Result {
          try evaluator.errors(on: dataset.frame(index))
        }
        gathered.keep(outcome, index) { report($0, names[index]) }
      }
    }
    duration = clock.now - start
    rows = evaluator.rows
    predictorNames = evaluator.predictors.map(\.name)

    var frames: [Frame] = []
    var skipped = dataset.incomplete
    for (index, outcome) in gathered.outcomes.enumerated() {
      switch outcome {
      case .success(let errors):
        frames.append(.init(index: index, name: names[index], errors: errors))
      case .failure(let error):
        skipped.append(
          .init(
            name: names[index], reason: "\(error)",
            setting: (error as? DepthError)?.cause as? SettingAtFault))
      case nil: break
      }
    }
    guard !frames.isEmpty else {
      throw DepthError.nothingMeasured(path: dataset.path, first: skipped.first)
    }
    (self.frames, self.skipped) = (frames, skipped)
  }

  /// The measures of a row, combined over frames by the rule of its protocol.
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

/// The results of all workers so far.
private final class Gathered: Sendable {
  private let state: Mutex<(outcomes: [Result<[FrameErrors], any Error>?], done: Int)>

  init(count: Int) {
    state = Mutex((Array(repeating: nil, count: count), 0))
  }

  var outcomes: [Result<[FrameErrors], any Error>?] { state.withLock { $0.outcomes } }

  func keep(
    _ outcome: Result<[FrameErrors], any Error>, _ index: Int, report: (_ done: Int) -> Void
  ) {
    state.withLock { state in
      state.outcomes[index] = outcome
      state.done += 1
      report(state.done)
    }
  }
}
