import ArgumentParser
import MonocularDepth

/// `depth predict`: photo → depth map in metres.
struct Predict: RequestCommand {
  static let configuration = CommandConfiguration(
    commandName: "predict",
    abstract: "Estimate the depth of photos, in metres.",
    discussion: """
      Reads JPEG, PNG, HEIC, WebP and AVIF. Writes 16-bit PNG (millimetres up to 65.535 m, 0 = no value), or PFM, NumPy or OpenEXR \
      (32-bit metres); the file's extension selects the format. A NumPy archive (.npz) also has the confidence, the \
      camera's matrix and the unit. Without -o \
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
  /// - Throws: A validation error, ``OutputConflict`` or `DepthError`; the exit status if a photo failed.
  func run() throws {
    let (weights, limits) = (common.weights.request, limits.limits)
    var selected = try weights.selection()
    let outputs = output.outputs(limits, confidenceOutput.outputs)
    selected.givesNormals = outputs.needsNormals
    let photos = try photoBatch(outputs, weights, selected)
    var watch = Stopwatch()
    let correction = try calibration.file.read()
    let ahead = common.threads == 1 ? nil : photos.readingAhead(limits: limits)
    var options = request.map.options
    options.limits = limits
    let estimation = try weights.estimation(
      of: selected, options, calibration: correction, threads: common.threads,
      keepsWeights: photos.photos.count > 1)
    try correction?.warn(for: estimation.estimator, refinement: options.refinement)
    try photos.perform(
      threads: common.threads, json: common.json, isQuiet: common.quiet, load: watch.lap(),
      .prediction(request, by: estimation, as: outputs, ahead))
  }

  /// The named photos, checked before anything is loaded.
  ///
  /// - Parameter selected: Files that no output may replace.
  private func photoBatch(
    _ outputs: MapOutputs, _ weights: WeightsRequest, _ selected: WeightsSelection
  ) throws -> PhotoBatch {
    let named = [("--view", output.view.place?.path), ("--normals", output.normals.place?.path)]
    for case (let option, let name?) in named where photos.isEmpty && batch.filesFrom == nil {
      throw WrongUsage(
        "no photo is given; '\(name)' after \(option) is the picture's name: put the photo before \(option)"
          .escapingControls)
    }
    let settings = batch.settings
    let selection = try PhotoSelection(photos, settings, outputFolders: outputs.folders)
    try outputs.check(selection, json: common.json)
    var plan = outputs.plan(
      for: selection.photos, inputs: selected.paths + calibration.file.files + settings.files)
    plan.sources = calibration.file.files + weights.namedFiles(of: selected)
    return try PhotoBatch(selection, plan, settings)
  }

  var request: DepthRequest {
    DepthRequest(
      map: refinement.request(camera, confidence), compression: output.png.compression)
  }
}
