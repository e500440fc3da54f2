package import DepthBase
import DepthErrors
package import DepthImages
import DepthNetworks

/// The metric networks to which a relative network's maps are fitted.
///
/// This is a class, since an estimator cannot contain another estimator as a value.
final class Yardstick: Sendable {
  let estimator: DepthEstimator
  /// Factor in the weights; see ``MetricComparison``.
  let widening: Double

  /// - Throws: `DepthError` with code `weightsMismatch` for weights that are not metric.
  init(_ estimator: DepthEstimator) throws(DepthError) {
    guard estimator.unit == .metres else {
      throw DepthError(
        .weightsMismatch, file: DepthEstimator.names(of: estimator.networks),
        "gives relative disparity, expected weights in metres to fit other maps to")
    }
    self.estimator = estimator
    widening = estimator.networks[0].widening
  }

  /// The networks' range in metres for a camera. The package's networks were trained on rooms of up to 10 m; published
  /// networks specify their range.
  func range(for camera: PhotoCamera) -> ClosedRange<Float> {
    let farthest = max(0.1, estimator.networks[0].configuration.farthest)
    return 0.1 * camera.depthFactor...farthest * camera.depthFactor
  }
}

extension DepthNetwork.Configuration {
  /// The largest distance in the network's training, metres.
  fileprivate var farthest: Float {
    if case .depthAnything(let configuration) = self,
      case .metres(let largest) = configuration.output
    {
      largest
    } else {
      10
    }
  }
}

extension DepthEstimator {
  /// Whether maps of relative disparity are fitted to the yardstick's maps.
  func fits(_ options: DepthOptions) -> Bool {
    yardstick != nil && options.relativeDepth != .relative
      && options.calibration?.mapUnit != .relativeDisparity
  }

  /// The unit of maps before a calibration.
  func uncalibratedUnit(_ options: DepthOptions) -> DepthMap.Unit {
    fits(options) ? .metres : configuration.unit
  }

  /// The estimate, converted to metres if the options request it and the weights are relative.
  ///
  /// - Throws: `DepthError` with code `noDepth` if too few pixels have a value in both maps; every error of the yardstick's
  ///   estimate.
  func fitted(
    _ estimate: DepthEstimate, of photo: Image, options: DepthOptions, call: CallContext
  ) throws -> DepthEstimate {
    guard let yardstick, fits(options) else { return estimate }
    let metric = try yardstick.estimate(of: photo, options: options, call: call)
    return try estimate.inMetres(
      by: metric, yardstick.comparison(estimate.networkMap, metric, options))
  }

  /// Fits a given map of relative disparity to this estimator's metres.
  ///
  /// - Parameters:
  ///   - map: The map of the photo.
  ///   - photo: An upright photo, for which the caller has checked the memory.
  ///   - options: Options of the estimate.
  /// - Returns: The map in metres, its fit, and the camera of the metres.
  /// - Throws: `DepthError` for weights that are not metric, and for a failed estimate; `CancellationError`.
  package func metres(
    of map: DepthMap, photo: Image, options: DepthOptions, call: CallContext
  ) throws -> (map: DepthMap, fit: MetricFit, camera: PhotoCamera) {
    let yardstick = try Yardstick(self)
    let metric = try yardstick.estimate(of: photo, options: options, call: call)
    let comparison = try yardstick.comparison(map, metric, options)
    let fit = comparison.fit(to: comparison.scale)
    return (comparison.metres(by: fit), fit, metric.camera)
  }

  /// Compares a given map with this estimator's own map.
  ///
  /// - Parameters:
  ///   - map: The given map of the photo, in metres.
  ///   - photo: An upright photo, for which the caller has checked the memory.
  ///   - options: Options of the estimate.
  /// - Returns: `nil` if too few pixels have a value in both maps.
  /// - Throws: `DepthError` for weights that are not metric, and for a failed estimate; `CancellationError`.
  package func comparison(
    of map: DepthMap, photo: Image, options: DepthOptions, call: CallContext
  ) throws -> MetresComparison? {
    let metric = try Yardstick(self).estimate(of: photo, options: options, call: call)
    return MetresComparison(map, to: metric.networkMap)
  }
}

extension Yardstick {
  /// Compares a relative map with the metric map of the same photo.
  ///
  /// - Throws: `DepthError` with code `noDepth` if too few pixels have a value in both maps.
  fileprivate func comparison(
    _ relative: DepthMap, _ metric: DepthEstimate, _ options: DepthOptions
  ) throws(DepthError) -> MetricComparison {
    try MetricComparison(
      relative, to: metric.networkMap, errors: metric.expectedError, widening: widening,
      within: options.relativeDepth == .metres(isBounded: true) ? range(for: metric.camera) : nil)
  }

  /// The metric map of a photo.
  fileprivate func estimate(
    of photo: Image, options: DepthOptions, call: CallContext
  ) throws -> DepthEstimate {
    var metric = DepthOptions(
      camera: options.camera, refinement: .none, limits: options.limits)
    metric.relativeDepth = options.relativeDepth
    return try estimator.networkEstimate(of: photo, options: metric, named: nil, call: call)
  }
}

extension DepthEstimator {
  /// The weights' file names, without folders.
  package var fileNames: String {
    networks.map { String($0.name.split(separator: "/").last ?? "") }.joined(separator: ", ")
  }

  /// The file names of the yardstick's weights; `nil` without a yardstick.
  package var metresName: String? { yardstick?.estimator.fileNames }
}
