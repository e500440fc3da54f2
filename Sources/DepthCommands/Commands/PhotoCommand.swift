import ArgumentParser
import DepthBase
import DepthPhotos
import DepthRefinement
import MonocularDepth

/// A command that makes files from photos and their depth.
protocol PhotoCommand {
  var photos: [String] { get }
  var batch: BatchOptions { get }
  /// Source of depth: a word, a depth file, or a folder of depth files; `nil` for `auto`.
  var depth: String? { get }
  var unit: DepthUnitOptions { get }
  var camera: CameraOptions { get }
  var calibration: CalibrationOptions { get }
  var limits: LimitOptions { get }
  var common: CommonOptions { get }
  /// Names of the given options that affect the estimate.
  var estimateOptions: [String] { get }
}

extension PhotoCommand {
  var estimateOptions: [String] {
    common.weights.givenOptions
      + optionNames(["--calibration": calibration.calibration != nil])
  }

  /// The requested source of depth. Options of the estimate select the network.
  ///
  /// - Throws: A validation error if an option of the estimate contradicts given depth.
  func depthChoice() throws -> DepthChoice {
    let choice = DepthChoice(depth)
    guard let option = estimateOptions.first else { return choice }
    guard !choice.isGiven else {
      throw ValidationError(
        "\(option) requires estimated depth, found --depth \(depth ?? "")".escapingControls)
    }
    return .network
  }

  /// The photos named by the command's arguments.
  ///
  /// - Parameter outputFolder: The output folder, which is not searched for photos.
  func selection(outputFolder: String?) throws -> PhotoSelection {
    try PhotoSelection(photos, batch.settings, outputFolders: [outputFolder])
  }

  /// Makes the files of photos with given, embedded or estimated depth.
  ///
  /// - Parameters:
  ///   - options: The options of estimates.
  ///   - calibrated: The refinement that a calibration must have been made with; by default the
  ///     refinement in `options`.
  ///   - purpose: The feature that requires metres of embedded depth; `nil` if relative depth is enough.
  ///   - usesMetres: Whether distances are used even if the focal length is an assumption.
  ///   - networkPurpose: The feature that requires a metric network; `nil` if relative disparity is enough.
  ///   - output: The photos' output files.
  ///   - work: The work on each photo.
  /// - Throws: The errors of ``PhotoBatch/perform(threads:json:isQuiet:load:_:)``.
  func perform(
    _ selection: PhotoSelection, _ options: DepthOptions, calibrated: RefinementMethod? = nil,
    metresFor purpose: String?, usesMetres: Bool = false,
    needingMetresFor networkPurpose: String? = nil, writing output: any PhotoOutput,
    overwrite: Bool, work: (DepthProvider) -> PhotoWork
  ) throws {
    let (choice, settings, threads) = (try depthChoice(), batch.settings, common.threads)
    let (weights, calibration) = (common.weights.request, calibration.file)
    try choice.check(selection)
    try unit.check(choice)
    let correction = try calibration.read()
    let selected = Result { try weights.selection() }
    // If no photo requires weights, they may be missing.
    if choice == .network { _ = try selected.get() }
    let known = choice.isGiven ? nil : try? selected.get()
    var plan = OutputPlan(
      [output], for: selection.photos,
      inputs: settings.files + calibration.files + (known?.paths ?? []), overwrite: overwrite)
    plan.depthFiles = choice.files(of: selection.photos).mapValues { [$0] }
    plan.sources = calibration.files + (known.map(weights.namedFiles) ?? [])
    let photos = try PhotoBatch(selection, plan, settings)
    let (count, refinement) = (photos.photos.count, calibrated ?? options.refinement)
    var wanted = options
    wanted.relativeDepth =
      purpose != nil || usesMetres || networkPurpose != nil
      ? .metres(isBounded: networkPurpose != nil) : .relative
    let loaded = LazyValue<MapEstimation>()
    let network: @Sendable () throws -> MapEstimation = { [wanted] in
      try loaded.value {
        let estimation = try weights.estimation(
          of: selected.get(), wanted, calibration: correction, threads: threads,
          keepsWeights: count > 1)
        try correction?.warn(for: estimation.estimator, refinement: refinement)
        if let networkPurpose { try estimation.unit.requireMetric(for: networkPurpose) }
        return estimation
      }
    }
    // The network is loaded first, since its memory is part of the need of each photo.
    var watch = Stopwatch()
    if choice == .network { _ = try network() }
    // Pictures that require no metres are made from the relative map.
    let fit =
      choice.isGiven && wanted.relativeDepth != .relative
      ? weights.fit(wanted, threads: threads) : nil
    try fit?.load()
    let depths = DepthProvider(
      choice: choice, purpose: purpose, usesMetres: usesMetres, hints: unit.hints,
      limits: options.limits, fit: fit,
      doubts: UnitDoubts(
        options, isScaleGiven: unit.depthScale != nil, photos: count, threads: threads),
      network: network)
    try photos.perform(
      threads: threads, json: common.json, isQuiet: common.quiet, load: watch.lap(), work(depths))
  }

  /// The options of estimates, without the calibration.
  func options(_ refinement: RefinementMethod = DepthOptions().refinement) -> DepthOptions {
    DepthOptions(camera: camera.setting, refinement: refinement, limits: limits.limits)
  }
}
