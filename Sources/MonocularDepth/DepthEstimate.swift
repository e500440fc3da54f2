public import DepthImages
import NeuralEngine

/// A photo's depth and its expected error.
///
/// ```swift
/// let estimate = try estimator.estimate(of: photo)
/// print(estimate.depth.median() ?? 0, estimate.uncertainty ?? 0)  // metres, relative error
/// ```
public struct DepthEstimate: Sendable, Equatable {
  /// The finished map, as returned by ``DepthEstimator/depth(of:options:)``.
  public package(set) var depth: DepthMap
  /// The network's map before refinement and calibration: metres along the optical axis, or disparity of unknown scale and
  /// shift (``DepthEstimator/unit``). The map covers the whole photo. With the package's weights, it has 192 × 240 values (rows
  /// × columns) for a landscape photo, and 240 × 192 for a portrait photo.
  public internal(set) var networkMap: DepthMap
  /// The expected relative error of each pixel of ``networkMap``: the expected |ln estimate − ln truth|, without a unit. `nil`
  /// if no network predicts its error.
  ///
  /// The expected error of several networks has two terms: the mean of the predicted errors e, and a quarter of the mean
  /// absolute difference between the networks' ln depths and the mean ln depth. Networks that predict no errors count only in
  /// the second term. Two networks with predicted errors have the expected error (e₁ + e₂) / 2 + |ln d₁ − ln d₂| / 8.
  ///
  /// A network that also estimates the mirrored photo has the mean of both ln depths. A fixed low-pass filter over
  /// 5 × 5 pixels removes the lattice of up-projections.
  public let expectedError: ErrorMap?
  /// The assumed camera of the photo, and its source. The camera's focal length scales metres, but not relative disparity.
  public internal(set) var camera: PhotoCamera
  /// The disagreement of the averaged maps, apart from each map's scale. After each map's mean ln depth is subtracted, this is
  /// the standard deviation of ln depth over the maps, averaged over the pixels with a value in all maps. 0 means agreement.
  /// `nil` for a single map, for relative disparity, or if no pixel has a value in all maps.
  public let spread: Double?
  /// The expected relative error |estimate − truth| / truth for a photo by the training camera, averaged over the photo's
  /// pixels: .15 is 15 %.
  ///
  /// The value is the mean of ``expectedError``; `nil` without expected errors. Errors of photos by other cameras are about
  /// twice as large.
  public let uncertainty: Double?
  /// The factor of expected errors for photos by other cameras than the training camera.
  private let otherCameraFactor: Double
  /// The fit of relative disparity to metres; `nil` if ``networkMap`` has the unit of the networks.
  public private(set) var metricFit: MetricFit?
  /// The surface normals of ``networkMap``'s pixels; `nil` unless ``WeightsSelection/givesNormals`` is set and the weights
  /// predict normals.
  public private(set) var normals: NormalMap?
  /// The raw maps of a point-map network; `nil` for other networks.
  let points: PointMap?
  /// The fit of ``points`` to ``camera``.
  private(set) var pointFit: PointFit?
  /// The comparison of the network's map with the yardstick's, for ``metricFit``.
  package private(set) var comparison: MetricComparison?

  /// The relative error above which depth is doubtful. A photo with a larger ``uncertainty`` differs from the training photos
  /// of the package's network: rendered rooms have .13 to .19; close-ups, a landscape and noise .29 or more.
  package static let doubtfulError = 0.25

  /// - Parameters:
  ///   - maps: 1 to 64 maps of one photo and size in metres of the training camera, grouped by network; or one or two maps of
  ///     relative disparity from one network.
  ///   - mapsPerNetwork: Number of maps of each network.
  ///   - camera: The photo's camera.
  ///   - otherCameraFactor: The factor of expected errors for other cameras; see ``LoadedNetwork/otherCameraFactor``.
  ///   - threads: Number of threads, which does not affect the result.
  init(
    _ maps: [NetworkMap], mapsPerNetwork: Int, camera: PhotoCamera, otherCameraFactor: Double,
    threads: Int
  ) {
    (self.camera, self.otherCameraFactor, points) = (camera, otherCameraFactor, nil)
    guard maps[0].depth.unit == .metres else {
      networkMap = .meanDisparity(of: maps.map(\.depth))
      depth = networkMap
      (expectedError, spread, uncertainty) = (nil, nil, nil)
      return
    }
    let ensemble = MapEnsemble(
      maps.map(\.depth), errors: maps.compactMap(\.error), mapsPerNetwork: mapsPerNetwork,
      threads: threads)
    networkMap = ensemble.depth.scaled(by: camera.depthFactor)
    depth = networkMap
    expectedError = ensemble.error?.withoutLattice()
    // Round to meaningful digits.
    spread = ensemble.spread.map { ($0 * 1e5).rounded() / 1e5 }
    uncertainty = expectedError.map { ($0.mean * 1e4).rounded() / 1e4 }
  }
}

extension DepthEstimate {
  /// - Parameters:
  ///   - points: The network's maps.
  ///   - fit: The fit of the points to a camera.
  ///   - camera: The camera of the fit.
  ///   - size: Rows and columns of the map.
  init(
    _ points: PointMap, _ fit: PointFit, camera: PhotoCamera, size: (height: Int, width: Int),
    threads: Int
  ) {
    (self.points, pointFit, self.camera, otherCameraFactor) = (points, fit, camera, 1)
    networkMap = points.depth(fit, height: size.height, width: size.width, threads: threads)
    depth = networkMap
    normals = points.normals(of: networkMap, threads: threads)
    (expectedError, spread, uncertainty) = (nil, nil, nil)
  }

  /// The photo's expected relative error with its camera: ``uncertainty``, multiplied by the weights' factor if the focal
  /// length is known to differ from the training camera's. The network predicts errors for photos by the training camera.
  package var cameraUncertainty: Double? {
    uncertainty.map { camera.isTrainingCamera == false ? $0 * otherCameraFactor : $0 }
  }

  /// The factor of expected errors in messages and on the page. It is 1 if the photo's camera is known to be the training
  /// camera, and otherwise the weights' factor.
  package var toldErrorFactor: Double {
    camera.isTrainingCamera == true ? 1 : otherCameraFactor
  }

  /// The estimate with another map of the same photo.
  package func with(networkMap: DepthMap) -> DepthEstimate {
    var estimate = self
    (estimate.networkMap, estimate.depth) = (networkMap, networkMap)
    return estimate
  }

  /// The estimate in metres, by a metric estimate of the same photo.
  ///
  /// - Parameters:
  ///   - yardstick: The metric estimate, whose camera the result takes.
  ///   - comparison: The comparison of the two estimates' maps.
  func inMetres(by yardstick: DepthEstimate, _ comparison: MetricComparison) -> DepthEstimate {
    let fit = comparison.fit(to: comparison.scale)
    var estimate = self
    (estimate.comparison, estimate.metricFit) = (comparison, fit)
    estimate.networkMap = comparison.metres(by: fit)
    estimate.depth = estimate.networkMap
    estimate.camera = yardstick.camera
    return estimate
  }
}

extension DepthMap {
  /// The mean of one network's two maps for a photo and its mirror image, in relative disparity with a common scale and shift.
  ///
  /// - Precondition: One or two maps of one size.
  static func meanDisparity(of maps: [DepthMap]) -> DepthMap {
    precondition((1...2).contains(maps.count), "\(maps.count) maps, expected one or two")
    guard maps.count > 1 else { return maps[0] }
    return DepthMap(
      height: maps[0].height, width: maps[0].width, unit: .relativeDisparity,
      values: zip(maps[0].values, maps[1].values).map { ($0 + $1) / 2 })
  }

  /// Every depth multiplied by a factor.
  func scaled(by factor: Float) -> DepthMap {
    guard factor != 1 else { return self }
    return DepthMap(height: height, width: width, unit: unit, values: values.map { $0 * factor })
  }
}

/// The estimate of one network for one photo, or for its mirror image.
struct NetworkMap: Sendable {
  /// Metres of the training camera, or relative disparity.
  let depth: DepthMap
  /// The expected errors; `nil` for a network with one output.
  let error: ErrorMap?

  var mirrored: NetworkMap { NetworkMap(depth: depth.mirrored, error: error?.mirrored) }
}

extension NetworkMap {
  /// The maps of a network's output, `n × h × w × 1`, or `n × h × w × 2` with expected errors as second channel.
  ///
  /// - Parameter unit: The unit of the network's values.
  static func maps(of output: Tensor, unit: DepthMap.Unit) -> [NetworkMap] {
    let shape = output.shape
    return (0..<shape.count).map { image in
      func channel(_ index: Int) -> [Float] {
        let first = image * shape.area * shape.channels + index
        guard shape.channels > 1 else {
          return Array(output.elements[first..<first + shape.area])
        }
        return (0..<shape.area).map { output.elements[first + $0 * shape.channels] }
      }
      return NetworkMap(
        depth: DepthMap(
          height: shape.height, width: shape.width, unit: unit, values: channel(0)),
        error: shape.channels > 1
          ? ErrorMap(height: shape.height, width: shape.width, values: channel(1)) : nil)
    }
  }
}
