import ArgumentParser
import DepthBase
import DepthImages
import DepthPipeline
import MonocularDepth
import PictureFiles

/// The options of commands that make something of photos and their depth, and the run over the photos.
protocol PhotoDepthCommand {
  var photos: [String] { get }
  var batch: BatchOptions { get }
  /// A depth file, a folder of them or `embedded`; `nil` for estimates.
  var depth: String? { get }
  var unit: DepthUnitOptions { get }
  var camera: CameraOptions { get }
  var calibration: CalibrationOptions { get }
  var limits: LimitOptions { get }
  var common: CommonOptions { get }
}

extension PhotoDepthCommand {
  /// The photos that the command names.
  ///
  /// - Parameter outputFolder: A folder that is written to; no photo is looked for there.
  func selection(outputFolder: String?) throws -> PhotoSelection {
    try batch.selection(of: photos, outputFolders: [outputFolder])
  }

  /// Makes the files of all photos.
  ///
  /// - Parameters:
  ///   - settings: How estimates are refined.
  ///   - calibrated: How the maps of a calibration should be refined; by default as estimates are.
  ///   - plan: The files of photos, beside these inputs.
  ///   - purpose: What metres are needed for; `nil` where relative disparity is enough.
  ///   - steps: The steps for each photo.
  /// - Throws: As ``PhotoRun/perform(threads:json:isQuiet:load:_:)``.
  func perform<Steps: PhotoSteps>(
    _ selection: PhotoSelection, settings: MapSettings, calibrated: MapSettings? = nil,
    needingMetresFor purpose: String? = nil,
    plan: ([PhotoInput], _ inputs: [String]) throws -> OutputPlan,
    steps: (DepthOfPhotos) -> Steps
  ) throws {
    let source = DepthSource(depth)
    try source.check(selection)
    try calibration.check(depth: depth)
    if depth != nil, let option = common.weights.givenOptions.first {
      throw ValidationError("\(option) requires estimated depth, found --depth")
    }
    try unit.check(source)
    let correction = try calibration.read()
    let weights = depth == nil ? try common.weights.selection() : nil
    var plan = try plan(
      selection.photos, batch.files + calibration.files + (weights?.paths ?? []))
    plan.depthFiles = source.files(of: selection.photos)
    plan.sources = calibration.files + (weights.map(common.weights.namedFiles) ?? [])
    let run = try PhotoRun(selection, plan, options: batch)
    // The network first: its share of the memory is known only then.
    var watch = Stopwatch()
    let estimator = try weights.map { try common.estimator(of: $0, photos: run.photos.count) }
    if let estimator {
      try correction?.warn(for: estimator, refinement: (calibrated ?? settings).method)
    }
    if let purpose, correction == nil { try estimator?.unit.requireMetric(for: purpose) }
    let depths = DepthOfPhotos(
      source: source, unit: unit, limits: limits.limits,
      pipeline: estimator.map {
        DepthPipeline(
          $0, settings: settings, camera: camera.setting, calibration: correction,
          limits: limits.limits)
      })
    try run.perform(
      threads: common.threads, json: common.json, isQuiet: common.quiet, load: watch.lap(),
      steps(depths))
  }
}

/// How a run gets at the depth of its photos.
struct DepthOfPhotos: Sendable {
  let source: DepthSource
  let unit: DepthUnitOptions
  let limits: ImageLimits
  /// `nil` where depth is not estimated.
  let pipeline: DepthPipeline?

  /// The camera of the photos that the network was trained on; that of this package's networks where depth is not estimated.
  var training: TrainingCamera { pipeline?.estimator.training ?? .kinect }

  /// The arithmetic of the network; `nil` where depth is not estimated.
  var precision: String? { pipeline?.estimator.precision.rawValue }

  /// What corrects estimates.
  var calibration: CalibrationRecord? { pipeline?.calibration.map(CalibrationRecord.init) }

  /// Reads a photo and the depth that is given for it, as soon as there is memory for all that is made of it.
  ///
  /// - Parameters:
  ///   - work: What is made of it.
  ///   - pixels: Pixels of what is made of it, where these may be more than those of the photo.
  func read(
    _ task: PhotoTask, for work: MemoryNeed.Work, pixels: (PhotoFile) -> Int = { _ in 0 }
  ) throws -> PhotoWithDepth {
    let photo = try source.read(task.photo, unit: unit.stored, limits: limits) { file in
      let need = try namingFailures(of: task.photo.path) {
        try pipeline?.memoryNeed(work, of: file, pixels: pixels(file), size: "--resolution")
      }
      try task.admit(
        need
          ?? MemoryNeed(
            work, pixels: max(file.width * file.height, pixels(file)),
            decodingBytesPerPixel: file.decodingBytesPerPixel), of: file)
    }
    if let depth = photo.depth, let file = try source.file(of: task.photo),
      let doubt = unit.doubt(about: depth, of: file)
    {
      task.log(doubt)
    }
    return photo
  }

  /// The depth that is given for a photo, else its estimate.
  func map(
    of photo: PhotoWithDepth, _ task: PhotoTask, settings: (inout MapSettings) -> Void = { _ in }
  ) throws -> DepthMap {
    if let depth = photo.depth { return depth }
    guard var pipeline else { preconditionFailure("neither depth nor an estimator") }
    settings(&pipeline.settings)
    let result = try pipeline.map(of: photo.image, named: task.photo.path, call: task.call)
    if let note = pipeline.unusualCamera(of: result.estimate) { task.log(note) }
    return result.depth
  }
}
