import DepthBase
import DepthErrors

/// Measurements of a data set's frames.
struct MeasuredFrames<Measures: Sendable>: Sendable {
  /// Measured frames, with their indices in the data set.
  let frames: [(index: Int, measures: Measures)]
  let skipped: [SkippedFrame]
  /// Time from the start of the first frame to the end of the last frame.
  let duration: Duration

  /// Measures every frame.
  ///
  /// There are as many workers as threads, and they take frames one by one. Each worker reads, predicts and
  /// measures its frame alone. While one worker decodes, others run the network, and no worker waits.
  /// Predictors should therefore use one thread each.
  ///
  /// - Parameters:
  ///   - workers: Number of frames in progress at a time, which does not affect results.
  ///   - report: Called after each frame with the number of completed frames, by one worker at a time.
  /// - Throws: `DepthError` with code `incompleteDataset` if every frame is skipped, because no frame can be measured.
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
