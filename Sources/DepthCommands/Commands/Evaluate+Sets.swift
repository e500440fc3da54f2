import ArgumentParser
import DepthEvaluation
import SystemEssentials

/// `depth evaluate --sets`: accuracy per camera.
extension Evaluate {
  /// The given options that do not apply to sets.
  var optionsWithoutSets: [String] {
    optionNames([
      "--protocol": scope.protocols != [.all], "--median-scaling": medianScaling,
      "--split": split != nil, "--depth-scale": depthScale != nil,
    ]) + output.givenOptions
  }

  func validateSets() throws {
    guard (dataset == nil) == (scope.sets != nil) else {
      throw ValidationError(
        scope.sets == nil ? "DATASET or --sets is missing" : "--sets excludes DATASET")
    }
    if scope.sets != nil, let option = optionsWithoutSets.first {
      throw ValidationError("\(option) has no effect with --sets, expected only one of them")
    }
  }

  func measureSets(in folder: String) throws {
    let dataset = try CameraSets(
      folder: URL(filePath: folder), every: every, correctsFocalLength: scope.focalLength == nil)
    let predictors = try predictors()
    for predictor in predictors { try predictor.check([.perImage]) }
    let progress = ProgressLine(isShown: !quiet, isPlainElsewhere: false)
    let total = dataset.frameNames.count
    let evaluation = try SetEvaluation(
      predictors, on: dataset, workers: workers,
      report: { done, name in progress.draw(frame: done, of: total, name) })
    progress.erase()
    evaluation.skipped.forEach(log)
    for results in evaluation.results {
      try Console.write(
        json
          ? results.records(dataset: folder).map { try jsonLine($0) }.joined() : results.table)
    }
    if !evaluation.skipped.isEmpty { throw RunStatus.failure }
  }
}
