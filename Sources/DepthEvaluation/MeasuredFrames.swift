import DepthBase
import DepthErrors
import Synchronization

/// Measurements of all frames of a data set.
struct MeasuredFrames<Measures: Sendable>: Sendable {
  /// Measured frames, with their index in the data set.
  let frames: [(index: Int, measures: Measures)]
  let skipped: [SkippedFrame]
  /// Time from the start of the first frame to the end of the last one.
  let duration: Duration

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
  init(
    of dataset: any EvaluationDataset, workers: Int,
    report: @Sendable (_ done: Int, _ name: String) -> Void,
    measure: @Sendable (EvaluationFrame) throws -> Measures
  ) throws {
    let names = dataset.frameNames
    let gathered = Gathered<Measures>(count: names.count)
    let clock = ContinuousClock()
    let start = clock.now
    parallelFor(names.count, threads: workers) { range in
      for index in range {
        let outcome: Result<Measures, any Error> = Result {
          try measure(dataset.frame(index))
        }
        gathered.keep(outcome, index) { report($0, names[index]) }
      }
    }
    duration = clock.now - start

    var frames: [(index: Int, measures: Measures)] = []
    var skipped = dataset.incomplete
    for (index, outcome) in gathered.outcomes.enumerated() {
      switch outcome {
      case .success(let measures): frames.append((index, measures))
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
}

/// The results of all workers so far.
private final class Gathered<Measures: Sendable>: Sendable {
  private let state: Mutex<(outcomes: [Result<Measures, any Error>?], done: Int)>

  init(count: Int) {
    state = Mutex((Array(repeating: nil, count: count), 0))
  }

  var outcomes: [Result<Measures, any Error>?] { state.withLock { $0.outcomes } }

  func keep(
    _ outcome: Result<Measures, any Error>, _ index: Int, report: (_ done: Int) -> Void
  ) {
    state.withLock { state in
      state.outcomes[index] = outcome
      state.done += 1
      report(state.done)
    }
  }
}
