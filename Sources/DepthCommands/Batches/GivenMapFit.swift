import DepthBase
import DepthErrors
import DepthImages
import MonocularDepth

/// A fit of given maps of relative depth to the maps of metric weights.
struct GivenMapFit: Sendable {
  private let options: DepthOptions
  /// Loads the network on the first call.
  private let network: @Sendable () throws -> DepthEstimator

  fileprivate init(
    _ options: DepthOptions, _ network: @escaping @Sendable () throws -> DepthEstimator
  ) {
    (self.options, self.network) = (options, network)
  }

  /// Rejects a map whose unit is not relative disparity.
  ///
  /// - Parameter file: The name of the map's file.
  /// - Throws: `DepthError`.
  func check(_ unit: DepthMap.Unit, of file: String) throws {
    guard unit != .relativeDisparity else { return }
    throw DepthError(
      .unknownUnit, file: file,
      "is in \(StoredUnit(unit: unit).name) already, expected relative depth with --metres (--depth-unit relative-disparity or relative-depth)"
    )
  }

  /// Bytes that the network requires for a photo of this size.
  ///
  /// - Throws: `DepthError` for a photo whose proportions the network does not accept.
  func networkBytes(of file: PhotoFile) throws -> Int {
    let estimator = try network()
    try estimator.checkProportions(height: file.height, width: file.width)
    return estimator.networkBytes(height: file.height, width: file.width)
  }

  /// Loads the network, before the first photo is read.
  func load() throws { _ = try network() }

  /// Converts a map to metres.
  ///
  /// - Parameters:
  ///   - map: A map of relative disparity whose memory is reserved.
  ///   - photo: The photo of the map.
  func metres(
    of map: DepthMap, photo: Image, _ run: PhotoRun
  ) throws -> (map: DepthMap, record: MetresRecord) {
    let estimator = try network()
    let (fitted, fit, camera) = try namingFailures(of: run.photo.path) {
      try estimator.metres(of: map, photo: photo, options: options, call: run.call)
    }
    run.tell(of: fit)
    if options.camera != .uncorrected { run.tellOfAssumedFocalLength(camera) }
    return (fitted, MetresRecord(fit, from: estimator.fileNames))
  }
}

extension WeightsRequest {
  /// The fit of given maps, if the user requests one.
  ///
  /// - Parameter options: The camera, the limits, and whether the metres are bounded.
  func fit(_ options: DepthOptions, threads: Int?) -> GivenMapFit? {
    guard let metres, metres != Self.relative else { return nil }
    let loaded = LazyValue<DepthEstimator>()
    return GivenMapFit(options) {
      try loaded.value {
        try DepthEstimator(
          Self.selection(ofMetres: metres), threads: threads)
      }
    }
  }
}

extension PhotoRun {
  /// Prints one note per run about a map that agrees poorly with its metric map.
  func tell(of fit: MetricFit) {
    if let distrust = fit.distrust { note(distrust, once: .distrustedMetres) }
  }
}

extension MetricFit {
  /// A note on unreliable metres.
  var distrust: String? {
    isTrusted
      ? nil
      : "its relative depth and the metric map agree poorly (rank correlation \(agreement.rounded(toDigits: 2))): do not trust its metres"
  }
}
