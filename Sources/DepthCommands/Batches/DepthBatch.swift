import DepthBase
import DepthPhotos
import DepthRefinement
import MonocularDepth

/// A run over photos and their depth, which is given, embedded or estimated.
struct DepthBatch {
  let selection: PhotoSelection
  let settings: BatchSettings
  let source: DepthSource
  let unit: GivenUnit
  let weights: WeightsRequest
  let calibration: GivenCalibration
  let threads: Int?
  let json, isQuiet: Bool

  /// Makes the files of all photos.
  ///
  /// - Parameters:
  ///   - options: How estimates are made and finished.
  ///   - calibrated: How the maps of a calibration should be refined; by default as estimates are.
  ///   - purpose: The feature that requires metres of embedded depth; `nil` if relative depth is enough.
  ///   - usesMetres: Whether distances are used although the focal length may be an assumed one.
  ///   - networkPurpose: The feature that requires a metric network; `nil` if relative disparity is enough.
  ///   - output: The files of photos.
  ///   - steps: The steps for each photo.
  /// - Throws: As ``PhotoRun/perform(threads:json:isQuiet:load:_:)``.
  func perform<Steps: PhotoSteps>(
    _ options: DepthOptions, calibrated: RefinementMethod? = nil, metresFor purpose: String?,
    usesMetres: Bool = false, needingMetresFor networkPurpose: String? = nil,
    writing output: any PhotoOutput, overwrite: Bool, steps: (DepthProvider) -> Steps
  ) throws {
    let correction = try calibration.read()
    let selected = Result { try weights.selection() }
    // Weights that no photo needs may be missing.
    let isNeeded = if case .chosen(.network) = source { true } else { false }
    if isNeeded { _ = try selected.get() }
    let known = source.isGiven ? nil : try? selected.get()
    var plan = OutputPlan(
      [output], for: selection.photos,
      inputs: settings.files + calibration.files + (known?.paths ?? []), overwrite: overwrite)
    plan.depthFiles = source.files(of: selection.photos)
    plan.sources = calibration.files + (known.map(weights.namedFiles) ?? [])
    let run = try PhotoRun(selection, plan, settings)
    let (count, refinement) = (run.photos.count, calibrated ?? options.refinement)
    var options = options
    options.relativeDepth =
      purpose != nil || usesMetres || networkPurpose != nil
      ? .metres(isBounded: networkPurpose != nil) : .relative
    let (wanted, loaded) = (options, LazyValue<MapEstimation>())
    let network: @Sendable () throws -> MapEstimation = { [weights, threads] in
      try loaded.value {
        let pipeline = try weights.estimation(
          of: selected.get(), wanted, calibration: correction, threads: threads,
          keepsWeights: count > 1)
        try correction?.warn(for: pipeline.estimator, refinement: refinement)
        if let networkPurpose { try pipeline.unit.requireMetric(for: networkPurpose) }
        return pipeline
      }
    }
    // The network first: its share of the memory is known only then.
    var watch = Stopwatch()
    if isNeeded { _ = try network() }
    // Pictures that need no metres are made of the map as it is.
    let fit =
      source.isGiven && wanted.relativeDepth != .relative
      ? weights.fit(wanted, threads: threads) : nil
    try fit?.load()
    let depths = DepthProvider(
      source: source, purpose: purpose, usesMetres: usesMetres, unit: unit,
      limits: options.limits, fit: fit, network: network)
    try run.perform(
      threads: threads, json: json, isQuiet: isQuiet, load: watch.lap(), steps(depths))
  }
}
