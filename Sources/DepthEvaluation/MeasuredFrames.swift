import DepthBase
import DepthErrors

/// Measurements of all frames of a data set.
struct MeasuredFrames<Measures: Sendable>: Sendable {
  /// Measured frames, with their index in the data set.
  let frames: [(index: Int, measures: Measures)]
  let skipped: [SkippedFrame]
  /// Time from the start of the first frame to the end of the last one.
  let duration: Duration

  /// Measures every frame.
  ///
  /// As many workers as threads take frames one by one. Each worker reads, predicts and measures its frame
  /// alone: while one decodes, others run the network, and none waits. Predictors should therefore use one
  /// thread each.
  ///
  /// - Parameters:
  ///   - workers: Frames in progress at a time; results do not depend on it.
  ///   - report: Called after each frame, by one worker at a time, with the number of completed frames.
  /// - Throws: `DepthError` with code `incompleteDataset`. A frame that cannot be read or measured is skipped.
  init(
    of dataset: any EvaluationDataset, workers: Int,
    report: @Sendable (_ done: Int, _ name: String) -> Void,
    measure: @Sendable (EvaluationFrame) throws -> Measures
  ) throws {
    let names = dataset.frameNames
    let done = Monitor(0)
    let clock = ContinuousClock()
    let start = clock.now
    let outcomes = parallelMap(names.count, threads: workers) { index in
      let outcome = Result { try measure(dataset.frame(index)) }
      done.update {
        $0 += 1
        report($0, names[index])
      }
      return outcome
    }
    duration = clock.now - start

    var frames: [(index: Int, measures: Measures)] = []
    var skipped = dataset.incomplete
    for (index, outcome) in outcomes.enumerated() {
      switch outcome {
      case .success(let measures): frames.append((index, measures))
      case .failure(let error):
        skipped.append(
          .init(
            name: names[index], reason: "\(error)",
            setting: (error as? DepthError)?.cause as? SettingAtFault))
      }
    }
    guard !frames.isEmpty else {
      throw DepthError.nothingMeasured(path: dataset.path, first: skipped.first)
    }
    (self.frames, self.skipped) = (frames, skipped)
  }
}
