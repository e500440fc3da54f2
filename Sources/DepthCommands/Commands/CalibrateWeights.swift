import ArgumentParser
import DepthBase
import DepthErrors
import DepthEvaluation
import DepthImages
import MonocularDepth
import SystemEssentials

/// `depth weights calibrate`: measures the scales of activations for `--precision int8`.
struct CalibrateWeights: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Copy weights and add the scales that --precision int8 needs.",
    discussion: """
      Copies a weights file. Runs the network on --photos photos of DATASET and stores the largest value of each \
      activation map. Then measures on --frames other frames how much int8 lowers δ1 (the share of pixels within a \
      factor of 1.25 of the truth), and stores this loss, which --precision auto \
      needs for its choice. Weights and biases do \
      not change. Depth Anything V2 needs no scales, so only the loss is measured and stored. Maps of relative \
      disparity are aligned to the ground truth before the loss is measured.

      DATASET is a dataset of 'depth evaluate'. Use a folder or list of training photos, not \
      nyu_depth_v2_labeled.mat, from which this command reads the test frames.
      """)

  @Argument(
    help: """
      HDF5 file or 'default'. If DEPTH_WEIGHTS names several, only the first is used.
      """,
    completion: .file())
  var file: String
  @Argument(
    help: "HDF5 file, folder, or association list of the TUM RGB-D benchmark.",
    completion: .file())
  var dataset: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Weights file to write.", valueName: "file"),
    completion: .file()
  )
  var output: String

  @Option(
    help: ArgumentHelp(
      "Number of photos from which the scales are measured, 1 to 10000.", valueName: "n"))
  var photos = 32
  @Option(
    help: ArgumentHelp(
      "Number of other frames on which the loss is measured, 1 to 10000.", valueName: "n"))
  var frames = 64

  @Option(help: .depthScale) var depthScale: Double?

  @OptionGroup var input: InputSizeOptions

  @Option(help: .threads) var threads: Int?

  @Flag(help: "Replace an existing file; without this option it is an error.")
  var overwrite = false

  func validate() throws {
    try check("--threads", threads, in: ThreadCount.range)
    guard output != "-" else {
      throw ValidationError(
        "cannot write weights to standard output, expected -o with the name of a file")
    }
    guard (1...10_000).contains(photos), (1...10_000).contains(frames) else {
      throw ValidationError("--photos \(photos) --frames \(frames), expected 1 to 10000 each")
    }
    try check(depthScale: depthScale)
  }

  func run() throws {
    let target = URL(filePath: output)
    try AtomicFile.check(target, overwrite: overwrite)
    let set = try openDataset(dataset, depthScale: depthScale)
    var plan = OutputPlan(
      inputs: try WeightsSelection(named: [file]).paths + set.files, overwrite: overwrite)
    plan.outputs = [.init(file: target, photo: file)]
    try plan.checkIdentities()
    let all = set.frameNames.indices
    let chosen = Self.spread(photos, over: Array(all))
    let others = Self.spread(frames, over: all.filter { !chosen.contains($0) })
    guard !others.isEmpty else {
      throw DepthError.unreadable(
        file: dataset,
        reason: "has \(all.count) frames, expected more than the \(chosen.count) of --photos")
    }
    let request = WeightsRequest(
      names: [file], inputSize: input.inputSize, kind: input.weightsKind)
    try request.loading { weights in
      let calibration = try WeightsCalibration(
        weights: weights.files[0], kind: weights.kind, photos: chosen.count, threads: threads
      ) { try set.frame(chosen[$0]).photo }
      let loss = try self.loss(of: calibration, weights, on: FrameSubset(set, frames: others))
      let lost = "int8 lowers δ1 by \(loss.fixed(4)) on \(others.count) other frames\n"
      let copy: [UInt8]
      do { copy = try calibration.calibrated(loss: loss) } catch {
        // The measurement took minutes, so its result is printed even if no file can be written.
        try Console.write("\(file.escapingControls): \(lost)")
        throw error
      }
      try AtomicFile.write(copy, to: target, overwrite: overwrite)
      try Console.write(
        "\(output.escapingControls): "
          + (calibration.layers.isEmpty
            ? "" : "\(calibration.layers.count) layers, scales of \(chosen.count) photos, ")
          + lost)
    }
  }

  private func loss(
    of calibration: WeightsCalibration, _ weights: WeightsSelection, on dataset: FrameSubset
  ) throws -> Double {
    let workers = threads ?? availableProcessors
    var calibrated = WeightsSelection.data(Data(try calibration.calibrated()))
    calibrated.inputSize = weights.inputSize
    let integers = try DepthEstimator(calibrated, threads: 1, precision: .int8)
    let floats = try DepthEstimator(
      WeightsSelection(files: [weights.files[0]], inputSize: weights.inputSize), threads: 1,
      precision: .float32)
    let evaluation = try Evaluation(
      Evaluator(
        [Predictor(floats, name: "float32"), Predictor(integers, name: "int8")],
        protocols: [floats.unit == .metres ? .perImage : .aligned]), on: dataset, workers: workers)
    return evaluation.metrics(ofRow: 0).delta1 - evaluation.metrics(ofRow: 1).delta1
  }

  /// `count` evenly spaced elements of `indices`.
  private static func spread(_ count: Int, over indices: [Int]) -> [Int] {
    let count = min(count, indices.count)
    return (0..<count).map { indices[$0 * indices.count / count] }
  }
}
