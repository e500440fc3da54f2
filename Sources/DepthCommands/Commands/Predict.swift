import ArgumentParser
import DepthBase
import DepthImages
import MonocularDepth
import PictureFiles
import SystemEssentials

/// `depth predict`: photo → depth map in metres.
struct Predict: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "predict",
    abstract: "Estimate the depth of photos, in metres.",
    discussion: """
      Reads JPEG, PNG, HEIC, WebP and AVIF. Writes 16-bit PNG (millimetres up to 65.535 m, 0 = no value), or PFM, NumPy or OpenEXR \
      (32-bit metres); the file's extension selects the format. Without -o \
      or --output-dir the map is written beside the photo, as PHOTO_depth.png. '-' is standard input or output; a \
      photo from standard input gives a map on standard output. Several photos run in parallel, at most one per \
      thread. Ctrl-C finishes the photos in progress and starts no others.
      """)

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
      threads: common.threads, json: common.json, isQuiet: common.quiet, load: watch.lap(),
      PredictSteps(options: self, pipeline: pipeline, ahead: ahead, request: request))
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
  ) throws -> MapEstimation {
    try correction?.warn(for: estimator, refinement: request.map.options.refinement)
    return MapEstimation(
      estimator, options: request.map.options, camera: camera.setting, calibration: correction,
      limits: limits.limits)
  }

  private var request: DepthRequest {
    var request = DepthRequest()
    request.map = refinement.request(camera, confidence)
    request.compression = output.png.compression
    return request
  }
}

/// The steps of `depth predict`.
private struct PredictSteps: PhotoSteps {
  struct Made {
    let estimate: DepthEstimate
    /// Of resizing, the network and refinement.
    let times: [Duration]
  }

  let options: Predict
  let pipeline: MapEstimation
  /// Delivers the photo if it was read while the weights were loaded.
  let ahead: Channel<OpenedPhoto>?
  let request: DepthRequest

  private var output: OutputOptions { options.output }
  private var limits: ImageLimits { options.limits.limits }

  func read(_ task: PhotoTask) throws -> (image: Image, time: Duration) {
    try output.checkDistances(pipeline.unit, of: task.photo.path)
    let opened = try ahead?.receive()
    let file = try opened?.file ?? PhotoFile(contentsOf: task.photo.url, limits: limits)
    let work = options.confidenceOutput.confidence == nil ? output.work : .mapWithPicture
    let need = try namingFailures(of: task.photo.path) {
      try pipeline.memoryNeed(work, of: file, size: "--resolution")
    }
    try task.admit(need, of: file)
    if let opened, let image = try opened.image?.get() {
      task.tellOfColors(image)
      return (image, opened.time)
    }
    let start = ContinuousClock.now
    let image = try file.decoded()
    task.tellOfColors(image)
    return (image, opened.map { $0.time + (.now - start) } ?? task.time(.reading))
  }

  func estimate(_ source: (image: Image, time: Duration), _ task: PhotoTask) throws -> Made {
    var (watch, times) = (Stopwatch(), [Duration]())
    let estimate = try pipeline.estimate(
      of: source.image, named: task.photo.path, call: task.call
    ) { step in
      if step != .resizing { times.append(watch.lap()) }
      if step == .refining { task.begin(.refining) }
    }
    times.append(watch.lap())
    if options.confidenceOutput.confidence != nil {
      // Before any file is written.
      _ = try pipeline.estimator.requireErrors(estimate.expectedError)
    }
    if let doubt = estimate.networkMap.doubt { task.log(doubt) }
    task.tell(of: estimate, by: pipeline, usesMetres: true)
    return Made(estimate: estimate, times: times)
  }

  func write(
    _ made: Made, of source: (image: Image, time: Duration), _ task: PhotoTask
  ) throws -> PredictionRecord {
    let (depth, estimate) = (made.estimate.depth, made.estimate)
    let (resize, network, refine) = (made.times[0], made.times[1], made.times[2])
    let (estimator, threads) = (pipeline.estimator, task.call.threads)
    let identifier = try estimator.weightsSHA256()
    let clipped = output.depthFile.clippedShare(of: depth, photo: task.photo, threads: threads)
    var outputs = try output.write(
      depth, of: source.image, clipped: clipped, task: task,
      metadata: DepthFileMetadata(software: Version.text, weightsSHA256: identifier),
      limits: limits, threads: threads)
    if let errors = estimate.expectedError {
      outputs += try options.confidenceOutput.write(
        errors, height: depth.height, width: depth.width, task: task, threads: threads)
    }
    let encode = task.time(.writing)
    var record = PredictionRecord(
      input: task.photo.path, outputs: outputs, depth: depth,
      prediction: .init(
        estimate, by: pipeline, weights: estimator.weights.map { $0.path(percentEncoded: false) },
        weightsID: identifier),
      threads: threads,
      milliseconds: [
        "load": Duration.zero, "decode": source.time, "resize": resize, "network": network,
        "refine": refine, "encode": encode,
        "total": source.time + resize + network + refine + encode,
      ].mapValues(\.milliseconds),
      clipped: clipped)
    record.request = request
    record.hint = output.hint(for: task.photo, unit: depth.unit)
    return record
  }
}
