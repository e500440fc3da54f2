import DepthBase
import DepthEvaluation
import PictureFiles
import SystemEssentials

/// The output files of an evaluation.
struct EvaluationOutput {
  /// The CSV file; `-` is standard output.
  let csv: String?
  let worst: Int?
  let contactSheet: String?
  let overwrite: Bool

  /// Checks the output files before anything is measured.
  ///
  /// - Parameter inputs: Input files, which no output may replace.
  func check(inputs: [String]) throws {
    var plan = OutputPlan(inputs: inputs, overwrite: overwrite)
    plan.outputs = [csv, contactSheet].compactMap { $0 }.filter { $0 != "-" }
      .map { .init(file: URL(filePath: $0), photo: $0) }
    try plan.check()
  }

  /// Writes the requested files, and lists the worst frames on standard error.
  func write(
    _ evaluation: Evaluation, of dataset: any EvaluationDataset, by evaluator: Evaluator
  ) throws {
    if let csv {
      try AtomicFile.write(
        Array(evaluation.commaSeparated.utf8),
        to: csv == "-" ? Console.standardOutput : URL(filePath: csv), overwrite: overwrite)
    }
    guard worst != nil || contactSheet != nil else { return }
    let worst = evaluation.worst(worst ?? 10)
    let row = evaluation.rows[0]
    Console.log(
      "worst frames of \(evaluation.predictorNames[row.predictor]) under \(row.evaluation.rawValue):\n"
        + worst.map { frame in
          let metrics = DepthMetrics(frame.errors[0])
          return "  \(frame.name): rel \(metrics.rel.fixed(3)), rms \(metrics.rms.fixed(3)) m\n"
        }.joined())
    if let contactSheet {
      try ContactSheet.image(of: worst, in: dataset, by: evaluator)
        .write(to: URL(filePath: contactSheet), overwrite: overwrite)
    }
  }
}
