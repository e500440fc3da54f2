import ArgumentParser
import DepthPhotos
import DepthRefinement
import MonocularDepth

/// A command that makes something of photos and their depth.
protocol PhotoCommand {
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

extension PhotoCommand {
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
    try PhotoSelection(photos, batch.settings, outputFolders: [outputFolder])
  }

  /// The run over the photos.
  func batch(of selection: PhotoSelection) throws -> DepthBatch {
    let source = try depthSource()
    try source.check(selection)
    try unit.check(source)
    return DepthBatch(
      selection: selection, settings: batch.settings, source: source, unit: unit.unit,
      weights: common.weights.request, calibration: calibration.file, threads: common.threads,
      json: common.json, isQuiet: common.quiet)
  }

  /// The options of estimates, but for the calibration.
  func options(_ refinement: RefinementMethod = DepthOptions().refinement) -> DepthOptions {
    DepthOptions(camera: camera.setting, refinement: refinement, limits: limits.limits)
  }
}
