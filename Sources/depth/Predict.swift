import ArgumentParser
import DepthErrors
import DepthImages
import DepthRefinement
import MonocularDepth
import PictureFiles
import SystemEssentials

/// `depth predict`: photo → depth map in metres.
struct Predict: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "predict",
    abstract: "Estimate the depth of photos, in metres.",
    discussion: """
      Reads JPEG and PNG. Writes 16-bit PNG (millimetres, 0 = no value), PFM, NumPy or OpenEXR (32-bit metres), \
      by extension; OpenEXR where the package was built with EXR. Without -o or --output-dir the map goes beside the photo, as PHOTO_depth.png. '-' means \
      standard input or output. Of several photos as many are under way at once as there are threads; \
      Ctrl-C finishes those.
      """)

  @Argument(help: "JPEG or PNG photos, folders of them, or '-'.", completion: .file())
  var photos: [String] = []
  @OptionGroup var batch: BatchOptions

  @OptionGroup var calibration: CalibrationOptions
  @OptionGroup var camera: CameraOptions
  @OptionGroup var refinement: RefinementOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let run = try photoRun(weightsFiles: common.weightsFiles())
    var watch = Stopwatch()
    let calibration = try readCalibration()
    let ahead = common.threads == 1 ? nil : run.readingAhead(limits: limits.limits)
    let estimator = try common.estimator(photos: run.photos.count)
    try note(calibration, for: estimator)
    try run.perform(
      recipe(estimator, calibration), threads: common.threads, json: common.json,
      isQuiet: common.quiet, load: watch.lap()
    ) { try predict($0, ahead: ahead, with: estimator, calibration: calibration) }
  }

  /// The run over the named photos, checked before anything is loaded.
  ///
  /// - Parameter weightsFiles: Files that no output may replace.
  /// - Throws: A validation error, ``OutputConflict`` or `DepthError`.
  func photoRun(weightsFiles: [String]) throws -> PhotoRun {
    let selection = try batch.selection(of: photos, outputFolders: output.folders)
    try output.check(selection, json: common.json)
    let plan = output.plan(
      for: selection.photos,
      inputs: weightsFiles + calibration.files + batch.files)
    return try PhotoRun(selection, plan, options: batch)
  }

  func readCalibration() throws -> DepthCalibration? { try calibration.read() }

  /// Notes on standard error where a calibration does not belong to this run.
  func note(_ calibration: DepthCalibration?, for estimator: DepthEstimator) throws {
    try calibration?.note(for: estimator, refinement: refinement.refine)
  }

  /// What the files are made with.
  func recipe(
    _ estimator: DepthEstimator, _ calibration: DepthCalibration?
  ) throws -> Recipe {
    try Self.recipe(estimator, refinement, camera, calibration?.words ?? [])
  }

  /// What a map is made with.
  static func recipe(
    _ estimator: DepthEstimator, _ refinement: RefinementOptions, _ camera: CameraOptions,
    _ others: [String] = []
  ) throws -> Recipe {
    Recipe("predict", try estimator.words + refinement.words + camera.words + others)
  }

  /// Makes one photo's files.
  ///
  /// - Parameter ahead: Has the photo, where it was decoded while the weights were loaded.
  func predict(
    _ turn: PhotoTurn, ahead: PhotoAhead? = nil, with estimator: DepthEstimator,
    calibration: DepthCalibration?
  ) throws -> PredictionRecord {
    let photo = turn.photo.path
    var watch = Stopwatch()
    turn.step("reading")
    let file =
      try ahead?.file() ?? PhotoFile(contentsOf: turn.photo.url, limits: limits.limits)
    let threads = try turn.threads(
      for: refinement.memoryNeed(
        for: file, source: estimator.outputSize, networkBytes: estimator.networkBytes,
        limits: limits.limits, output: output), pixels: file.width * file.height)
    let estimator = estimator.using(threads: threads)
    let decoded = try ahead?.image()
    let image = try decoded?.image ?? file.image()
    let laps = watch.lap()
    // Decoding ahead takes its time while the weights are loaded.
    let decode = decoded?.time ?? laps
    turn.step("estimating")
    let input = try estimator.prepared(image, camera: camera.camera(of: image, named: photo))
    let resize = watch.lap()
    let estimate: DepthEstimate
    do { estimate = try estimator.estimate(of: input) } catch let error as DepthError
      where error.code == .noDepth
    {
      throw InputFailure(file: photo, reason: "\(error)")
    }
    let network = watch.lap()
    if let oddity = estimate.depth.oddity { turn.note(oddity) }
    turn.step("refining")
    let refined = try refinement.refined(estimate.depth, guidedBy: image, threads: threads)
    // After refinement, as it was fitted: known points come back exactly.
    let depth = try refined.calibrated(by: calibration, camera: estimate.camera, photo: photo)
    let refine = watch.lap()
    turn.step("writing")
    let identifier = try estimator.weightsSHA256()
    let outputs = try output.write(
      depth, of: image, turn: turn,
      metadata: DepthFileMetadata(software: Version.text, weightsSHA256: identifier),
      threads: threads)
    let encode = watch.lap()
    return PredictionRecord(
      input: photo, outputs: outputs, depth: depth,
      prediction: .init(
        weights: estimator.weights.map { $0.path(percentEncoded: false) }, weightsID: identifier,
        precision: estimator.precision.rawValue, camera: estimate.camera,
        mirrored: estimator.averagesMirrored, spread: estimate.spread,
        // What is expected of uncalibrated scales says nothing of calibrated ones.
        uncertainty: calibration == nil ? estimate.uncertainty : nil,
        calibration: calibration.map(CalibrationRecord.init)),
      threads: threads,
      milliseconds: .init(
        decode: decode.milliseconds, resize: resize.milliseconds,
        network: network.milliseconds, refine: refine.milliseconds, encode: encode.milliseconds,
        total: (decode + resize + network + refine + encode).milliseconds),
      clipped: output.clippedShare(of: depth, photo: turn.photo))
  }
}

/// Time since the last lap.
struct Stopwatch {
  private let clock = ContinuousClock()
  private var last: ContinuousClock.Instant

  init() { last = clock.now }

  mutating func lap() -> Duration {
    let now = clock.now
    defer { last = now }
    return now - last
  }
}
