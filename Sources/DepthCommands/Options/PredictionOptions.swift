import ArgumentParser
import DepthBase
import DepthImages
import DepthPipeline
import DepthRequests
import MonocularDepth
import PictureFiles
import SystemEssentials

/// What `depth predict` says: photos, their depth, and where it goes.
struct PredictionOptions: ParsableArguments {
  @Argument(
    help:
      "JPEG, PNG, HEIC, WebP or AVIF photos, folders of photos, or '-' for one photo on standard input.",
    completion: .file())
  var photos: [String] = []
  @OptionGroup var batch: BatchOptions

  @OptionGroup var calibration: CalibrationOptions
  @OptionGroup var camera: CameraOptions
  @OptionGroup var refinement: RefinementOptions
  @OptionGroup var confidence: ConfidenceOptions
  @OptionGroup var confidenceOutput: ConfidenceOutputOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var common: CommonOptions

  /// Makes the files of all photos.
  ///
  /// - Throws: A validation error, ``OutputConflict`` or `DepthError`; the status of a run in which a photo failed.
  func run() throws {
    let weights = try common.weights.selection()
    let run = try photoRun(weights)
    var watch = Stopwatch()
    let correction = try calibration.read()
    let ahead = common.threads == 1 ? nil : run.readingAhead(limits: limits.limits)
    let pipeline = try pipeline(
      common.estimator(of: weights, photos: run.photos.count), correction)
    try run.perform(
      threads: common.threads, json: common.json, isQuiet: common.quiet, load: watch.lap()
    ) { try predict($0, ahead: ahead, by: pipeline) }
  }

  /// The run over the named photos, checked before anything is loaded.
  ///
  /// - Parameter weights: Files that no output may replace.
  /// - Throws: A validation error, ``OutputConflict`` or `DepthError`.
  func photoRun(_ weights: WeightsSelection) throws -> PhotoRun {
    if photos.isEmpty, batch.filesFrom == nil, let view = output.view.path {
      throw ValidationError(
        "no photo was named; '\(view)' after --view is the name of the picture, put the photo before --view"
      )
    }
    let selection = try batch.selection(
      of: photos, outputFolders: output.folders + [confidenceOutput.folder])
    try output.check(selection, json: common.json)
    try confidenceOutput.check(selection)
    var plan = output.plan(
      for: selection.photos,
      inputs: weights.paths + calibration.files + batch.files)
    plan.sources = calibration.files + common.weights.namedFiles(of: weights)
    confidenceOutput.add(to: &plan, for: selection.photos)
    return try PhotoRun(selection, plan, options: batch)
  }

  /// How the maps are made; with notes on standard error where a calibration does not belong to them.
  func pipeline(
    _ estimator: DepthEstimator, _ correction: DepthCalibration?
  ) throws -> DepthPipeline {
    try correction?.note(for: estimator, refinement: refinement.refine)
    return DepthPipeline(
      estimator, settings: request.map.settings, camera: camera.setting, calibration: correction,
      limits: limits.limits)
  }

  private var request: DepthRequest {
    var request = DepthRequest()
    request.map = refinement.request(camera, confidence)
    request.compression = output.png.compression
    return request
  }

  /// Makes one photo's files.
  ///
  /// - Parameter ahead: Has the photo, where it was decoded while the weights were loaded.
  func predict(
    _ turn: PhotoTurn, ahead: PhotoAhead? = nil, by pipeline: DepthPipeline
  ) throws -> PredictionRecord {
    let (photo, estimator) = (turn.photo.path, pipeline.estimator)
    try output.checkDistances(pipeline.unit, of: photo)
    var watch = Stopwatch()
    turn.step("reading")
    let file =
      try ahead?.file() ?? PhotoFile(contentsOf: turn.photo.url, limits: limits.limits)
    turn.noteAnimation(file)
    let work = confidenceOutput.confidence == nil ? output.work : .mapWithPicture
    let need = try namingFailures(of: photo) {
      try pipeline.memoryNeed(work, of: file, size: "--resolution")
    }
    let threads = try turn.threads(for: need, pixels: file.width * file.height)
    let decoded = try ahead?.image()
    let image = try decoded?.image ?? file.decoded()
    let laps = watch.lap()
    // Decoding ahead takes its time while the weights are loaded.
    let decode = decoded?.time ?? laps
    let result = try pipeline.map(
      of: image, named: photo, call: CallContext(threads: threads)
    ) { turn.step($0.rawValue) }
    let (times, depth, estimate) = (result.times, result.depth, result.estimate)
    // Before any file is written.
    let errors =
      confidenceOutput.confidence == nil
      ? nil : try estimator.requireErrors(estimate.expectedError)
    if let oddity = estimate.depth.oddity { turn.note(oddity) }
    if let oddity = pipeline.oddity(of: estimate) { turn.note(oddity) }
    _ = watch.lap()
    turn.step("writing")
    let identifier = try estimator.weightsSHA256()
    let clipped = output.depthFile.clippedShare(of: depth, photo: turn.photo, threads: threads)
    var outputs = try output.write(
      depth, of: image, clipped: clipped, turn: turn,
      metadata: DepthFileMetadata(software: Version.text, weightsSHA256: identifier),
      limits: limits.limits, threads: threads)
    if let errors {
      outputs += try confidenceOutput.write(
        errors, height: depth.height, width: depth.width, turn: turn, threads: threads)
    }
    let encode = watch.lap()
    var record = PredictionRecord(
      input: photo, outputs: outputs, depth: depth,
      prediction: .init(
        estimate, by: estimator, weights: estimator.weights.map { $0.path(percentEncoded: false) },
        weightsID: identifier, setting: pipeline.camera, calibration: pipeline.calibration),
      threads: threads,
      milliseconds: .init(
        decode: decode.milliseconds, resize: times.resize.milliseconds,
        network: times.network.milliseconds, refine: times.refine.milliseconds,
        encode: encode.milliseconds,
        total: (decode + times.resize + times.network + times.refine + encode).milliseconds),
      clipped: clipped)
    record.request = request
    record.hint = output.hint(for: turn.photo, unit: depth.unit)
    return record
  }
}
