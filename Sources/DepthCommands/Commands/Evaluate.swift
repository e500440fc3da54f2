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

  @Option(
    help: ArgumentHelp(
      "Measure sets of frames of several cameras, in place of DATASET.",
      discussion: """
        Each subfolder with rgb/, depth/ and camera.json is a set and makes a row. camera.json has focal_px, the \
        focal length in pixels of the photos, and may have depth_scale (values per metre in depth files; 1000 \
        otherwise) and rendered (true or false). Frames are measured as by per-image, where the true depth is between \
        0.1 and 10 m; scale is the median of ln(map / truth). Near sets, with a median distance below 1.2 m, and far \
        sets are summarized.
        """,
      valueName: "folder"),
    completion: .directory)
  var sets: String?

  @Option(
    help: ArgumentHelp(
      "With --sets: none does not tell the networks the focal lengths.", valueName: "none"),
    transform: FocalLengthWord.argument)
  var focalLength: FocalLengthWord?

  @Flag(
    help: ArgumentHelp(
      "DATASET is a clip: a folder with clip.json, as written by 'measure render-scenes --clip'.",
      discussion: """
        Measures accuracy and temporal stability of the network's maps, without a temporal filter and with each \
        filter of 'depth stream'. Documentation/Glossary.md explains the columns. --protocol, --predictions, \
        --refine, --csv and other options for single photos are refused.
        """))
  var clip = false

  @Option(
    help: ArgumentHelp(
      """
      With --clip: estimate depth only for every nth frame (1 to 60) and after cuts. In between, move the last map \
      with the photo's motion. 1 by default.
      """,
      valueName: "n"))
  var depthEvery: Int?

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp(
      """
      Protocol: \(EvaluationProtocol.allCases.map(\.rawValue).joined(separator: ", ")) or all; may be repeated.
      """,
      discussion: EvaluationProtocol.allCases.map { "\($0.rawValue): \($0.summary)" }
        .joined(separator: "\n"),
      valueName: "name"))
  var protocols: [ProtocolChoice] = [.all]

  @Option(
    help: ArgumentHelp(
      """
      Weights: 'default', 'compact' or an HDF5 file. Each --weights adds a row. Without --weights and \
      --predictions, 'default' is measured.
      """,
      valueName: "file"),
    completion: .file())
  var weights: [String] = []

  @Flag(
    help: """
      Combine all --weights into one estimate and one row: the geometric mean of their depths.
      """)
  var ensemble = false

  @Flag(inversion: .prefixedNo, help: .mirrored) var mirrored = false

  @OptionGroup var input: InputSizeOptions
  @OptionGroup var arithmetic: PrecisionOptions

  @Option(
    help: ArgumentHelp(
      """
      Measure the depth files in this folder, in metres or disparity. They are named like the frames, with or \
      without _depth. May be repeated.
      """,
      valueName: "folder"),
    completion: .directory)
  var predictions: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Refine maps before they are measured: \
      \(RefinementMethod.Name.allCases.map(\.rawValue).joined(separator: ", ")). May be repeated; each method adds a \
      row.
      """,
      valueName: "method"))
  var refine: [RefinementMethod.Name] = [.none]

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

  @OptionGroup var output: EvaluationOutput

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
    if input.inputSize != nil, weights.isEmpty {
      throw ValidationError("--input-size requires --weights")
    }
    if ensemble, weights.count < 2 {
      throw ValidationError("--ensemble combines several --weights, expected two or more")
    }
    if weights.isEmpty, !predictions.isEmpty, mirrored || arithmetic.precision != .auto {
      throw ValidationError(
        "\(mirrored ? "--mirrored" : "--precision") requires --weights")
    }
    if let depthEvery, !clip || !(1...60).contains(depthEvery) {
      throw ValidationError(
        clip ? "--depth-every is \(depthEvery), expected 1 to 60" : "--depth-every requires --clip")
    }
    if clip, let option = photoOptions.first {
      throw ValidationError("\(option) has no effect with --clip, expected only one of them")
    }
    try check(depthScale: depthScale)
  }

  /// The options that were given and are for single photos.
  private var photoOptions: [String] {
    optionNames([
      "--protocol": protocols != [.all], "--predictions": !predictions.isEmpty,
      "--refine": refine != [.none], "--median-scaling": medianScaling,
      "--split": split != nil, "--every": every != 1, "--depth-scale": depthScale != nil,
    ]) + output.givenOptions
  }

  func run() throws {
    if let sets { return try measureSets(in: sets) }
    guard let path = dataset else { preconditionFailure("neither DATASET nor --sets") }
    if clip { return try measureClip(path) }
    try output.check(inputs: [path])
    let dataset = FrameSubset(
      try openDataset(path, split: split, depthScale: depthScale), every: every)
    try output.check(inputs: dataset.files + predictorFiles())
    let predictors = try predictors()
    for predictor in predictors { try predictor.check(chosenProtocols) }
    if output.contactSheet != nil, predictors.first?.isRelative ?? false {
      try DepthMap.Unit.relativeDisparity.requireMetric(for: "--contact-sheet")
    }
    let evaluator = Evaluator(
      predictors, protocols: chosenProtocols, scalesMedian: medianScaling)
    let progress = EvaluationProgress(total: dataset.frameNames.count, isShown: !quiet)
    let evaluation = try Evaluation(
      evaluator, on: dataset,
      workers: workers,
      report: { done, name in progress.show(done, name) })
    progress.clear()
    evaluation.skipped.forEach(log)
    if json {
      try Console.write(evaluation.records(dataset: dataset.path).map { try jsonLine($0) }.joined())
    } else if output.csv != "-" {
      try Console.write(evaluation.table)
    }
    try output.write(evaluation, of: dataset, by: evaluator)
    if !evaluation.skipped.isEmpty { throw ExitCode.failure }
  }

  func log(skipped frame: SkippedFrame) {
    let name = frame.reason.contains(frame.name) ? "" : "\(frame.name): "
    Console.log(
      "depth: \(name)\(frame.reason)\(Console.options(for: frame.setting)), skipped\n")
  }

  var workers: Int { threads ?? availableProcessors }

  private var chosenProtocols: [EvaluationProtocol] {
    var chosen: [EvaluationProtocol] = []
    for choice in protocols {
      for each in choice.protocols where !chosen.contains(each) { chosen.append(each) }
    }
    return chosen
  }
}

extension NYUSplit: ExpressibleByArgument {}
