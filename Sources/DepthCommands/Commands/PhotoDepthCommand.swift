import ArgumentParser
import DepthBase
import DepthImages
import DepthPhotos
import MonocularDepth

/// The options of commands that make something of photos and their depth, and the run over the photos.
protocol PhotoDepthCommand {
  var photos: [String] { get }
  var batch: BatchOptions { get }
  /// A word, a depth file or a folder of them; `nil` for `auto`.
  var depth: String? { get }
  var unit: DepthUnitOptions { get }
  var camera: CameraOptions { get }
  var calibration: CalibrationOptions { get }
  var limits: LimitOptions { get }
  var common: CommonOptions { get }
  /// Names of the given options that affect the estimate.
  var estimateOptions: [String] { get }
}

extension PhotoDepthCommand {
  var estimateOptions: [String] {
    common.weights.givenOptions
      + optionNames(["--calibration": calibration.calibration != nil])
  }

  /// The depth source of the run; options of the estimate select the network.
  ///
  /// - Throws: A validation error for such an option where depth is given.
  func depthSource() throws -> DepthSource {
    let source = DepthSource(depth)
    guard let option = estimateOptions.first else { return source }
    guard !source.isGiven else {
      throw ValidationError(
        "\(option) requires estimated depth, found --depth \(depth ?? "")".escapingControls)
    }
    return .chosen(.network)
  }

  /// The photos that the command names.
  ///
  /// - Parameter outputFolder: A folder that is written to; no photo is looked for there.
  func selection(outputFolder: String?) throws -> PhotoSelection {
    try batch.selection(of: photos, outputFolders: [outputFolder])
  }

  /// Makes the files of all photos.
  ///
  /// - Parameters:
  ///   - wanted: How estimates are refined.
  ///   - calibrated: How the maps of a calibration should be refined; by default as estimates are.
  ///   - purpose: The feature that requires metres of embedded depth; `nil` if relative depth is enough.
  ///   - usesMetres: Whether distances are used although the focal length may be an assumed one.
  ///   - networkPurpose: The feature that requires a metric network; `nil` if relative disparity is enough.
  ///   - plan: The files of photos, beside these inputs.
  ///   - steps: The steps for each photo.
  /// - Throws: As ``PhotoRun/perform(threads:json:isQuiet:load:_:)``.
  func perform<Steps: PhotoSteps>(
    _ selection: PhotoSelection, options wanted: DepthOptions, calibrated: DepthOptions? = nil,
    metresFor purpose: String?, usesMetres: Bool = false,
    needingMetresFor networkPurpose: String? = nil,
    plan: ([PhotoInput], _ inputs: [String]) throws -> OutputPlan,
    steps: (DepthOfPhotos) -> Steps
  ) throws {
    let source = try depthSource()
    try source.check(selection)
    try unit.check(source)
    let correction = try calibration.read()
    let weights = Result { try common.weights.selection() }
    // Weights that no photo needs may be missing.
    let isNeeded = if case .chosen(.network) = source { true } else { false }
    if isNeeded { _ = try weights.get() }
    let selected = source.isGiven ? nil : try? weights.get()
    var plan = try plan(
      selection.photos, batch.files + calibration.files + (selected?.paths ?? []))
    plan.depthFiles = source.files(of: selection.photos)
    plan.sources = calibration.files + (selected.map(common.weights.namedFiles) ?? [])
    let run = try PhotoRun(selection, plan, options: batch)
    let (options, camera, limits) = (common, camera.setting, limits.limits)
    let (count, refinement) = (run.photos.count, (calibrated ?? wanted).refinement)
    let loaded = LazyValue<MapEstimation>()
    let network: @Sendable () throws -> MapEstimation = {
      try loaded.value {
        let estimator = try options.estimator(of: weights.get(), photos: count)
        try correction?.warn(for: estimator, refinement: refinement)
        if let networkPurpose, correction == nil {
          try estimator.unit.requireMetric(for: networkPurpose)
        }
        return MapEstimation(
          estimator, options: wanted, camera: camera, calibration: correction, limits: limits)
      }
    }
    // The network first: its share of the memory is known only then.
    var watch = Stopwatch()
    if isNeeded { _ = try network() }
    let depths = DepthOfPhotos(
      source: source, purpose: purpose, usesMetres: usesMetres, unit: unit, limits: limits,
      network: network)
    try run.perform(
      threads: common.threads, json: common.json, isQuiet: common.quiet, load: watch.lap(),
      steps(depths))
  }
}
