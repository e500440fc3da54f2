import ArgumentParser
import DepthErrors
import DepthImages
import DepthPipeline
import MonocularDepth
import PictureFiles
import SystemEssentials
import ThreadTeams

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
    try Recipe(of: pipeline(estimator, calibration))
  }

  private func pipeline(
    _ estimator: DepthEstimator, _ calibration: DepthCalibration?
  ) -> DepthPipeline {
    DepthPipeline(
      estimator, settings: refinement.settings, camera: camera.setting, calibration: calibration,
      limits: limits.limits)
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
    let size = try refinement.settings.size(
      photo: (file.height, file.width), map: estimator.outputSize, limits: limits.limits,
      named: "--resolution")
    let threads = try turn.threads(
      for: .map(
        of: file, networkBytes: estimator.networkBytes,
        output: output.needs(of: size, from: estimator.outputSize)),
      pixels: file.width * file.height)
    let decoded = try ahead?.image()
    let image = try decoded?.image ?? file.image()
    let laps = watch.lap()
    // Decoding ahead takes its time while the weights are loaded.
    let decode = decoded?.time ?? laps
    let result = try pipeline(estimator, calibration)
      .map(of: image, named: photo, call: CallContext(threads: threads)) { turn.step($0.rawValue) }
    let (times, depth, estimate) = (result.times, result.depth, result.estimate)
    if let oddity = estimate.depth.oddity { turn.note(oddity) }
    _ = watch.lap()
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
        decode: decode.milliseconds, resize: times.resize.milliseconds,
        network: times.network.milliseconds, refine: times.refine.milliseconds,
        encode: encode.milliseconds,
        total: (decode + times.resize + times.network + times.refine + encode).milliseconds),
      clipped: output.clippedShare(of: depth, photo: turn.photo))
  }
}
