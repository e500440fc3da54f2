import ArgumentParser
import DepthBase
import DepthEvaluation
import DepthImages
import DepthRefinement
import MonocularDepth

/// `depth evaluate`: accuracy against ground truth, by named protocols.
struct Evaluate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Measure accuracy against ground-truth depth.",
    discussion: """
      DATASET is nyu_depth_v2_labeled.mat (its 654 test frames are measured), a folder with photos in rgb/ \
      and depth files of the same names in depth/, or a list or folder of the TUM RGB-D benchmark.

      Only pixels with ground truth are measured. Pooled protocols compute errors over all pixels of all frames \
      together; the others compute errors for each frame and average them. SILog and boundary F1 (silog and \
      boundary_f1 in JSON) are means over frames under every protocol. Weights of relative disparity are measured by \
      the protocol aligned only.

      Frames that cannot be read or paired are listed and left out, and the exit status is then 1. The summary \
      gives the number of frames measured.
      """)

  @Argument(
    help: "HDF5 file, folder, or association list of the TUM RGB-D benchmark.",
    completion: .file())
  var dataset: String?

  @OptionGroup var scope: EvaluationScopeOptions
  @OptionGroup var networks: PredictorOptions

  @Flag(
    help: """
      Add rows for the protocols laina, full-frame, eigen and per-image, in which each map is scaled to the median \
      of the ground truth.
      """)
  var medianScaling = false

  @Option(
    help: ArgumentHelp(
      """
      Part of nyu_depth_v2_labeled.mat: test (the default), train or all. Refused for folders and lists.
      """,
      valueName: "name"))
  var split: NYUSplit?

  @Option(
    help: ArgumentHelp(
      "Measure frames 0, n, 2n, … of those, n from 1 to 10000.", valueName: "n"))
  var every = 1

  @Option(help: .depthScale) var depthScale: Double?

  @OptionGroup var output: EvaluationOutputOptions

  @Option(
    help: ArgumentHelp(
      "Number of frames measured in parallel, 1 to 256; by default one per processor.",
      valueName: "n"))
  var threads: Int?

  @Flag(help: "Print results on standard output as JSON, one object per line.")
  var json = false

  @Flag(help: "Print no progress on standard error.")
  var quiet = false

  func validate() throws {
    try validateSets()
    try check("--threads", threads, in: ThreadCount.range)
    try check("--every", every, in: 1...10_000)
    if json, output.csv == "-" {
      throw ValidationError("--json and --csv - cannot share standard output")
    }
    try check(depthScale: depthScale)
  }

  func run() throws {
    if let sets = scope.sets { return try measureSets(in: sets) }
    guard let path = dataset else { preconditionFailure("neither DATASET nor --sets") }
    try output.value.check(inputs: [path])
    let dataset = FrameSubset(
      try openDataset(path, split: split, depthScale: depthScale), every: every)
    try output.value.check(inputs: dataset.files + predictorFiles())
    let predictors = try predictors()
    for predictor in predictors { try predictor.check(scope.chosenProtocols) }
    if output.contactSheet != nil, predictors.first?.isRelative ?? false {
      try DepthMap.Unit.relativeDisparity.requireMetric(for: "--contact-sheet")
    }
    let evaluator = Evaluator(
      predictors, protocols: scope.chosenProtocols, scalesMedian: medianScaling)
    let progress = ProgressLine(isShown: !quiet, isPlainElsewhere: false)
    let total = dataset.frameNames.count
    let evaluation = try Evaluation(
      evaluator, on: dataset,
      workers: workers,
      report: { done, name in progress.draw(frame: done, of: total, name) })
    progress.erase()
    evaluation.skipped.forEach(log)
    if json {
      try Console.write(evaluation.records(dataset: dataset.path).map { try jsonLine($0) }.joined())
    } else if output.csv != "-" {
      try Console.write(evaluation.table)
    }
    try output.value.write(evaluation, of: dataset, by: evaluator)
    if !evaluation.skipped.isEmpty { throw RunStatus.failure }
  }

  func log(skipped frame: SkippedFrame) {
    let name = frame.reason.contains(frame.name) ? "" : "\(frame.name): "
    Console.note("\(name)\(frame.reason)\(Console.advice(for: frame.setting)), skipped")
  }

  var workers: Int { threads ?? availableProcessors }
}

extension NYUSplit: ExpressibleByArgument {}
