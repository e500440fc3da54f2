public import DepthImages
import NeuralEngine

/// A photo's depth, and how far off it may be.
///
/// ```swift
/// let estimate = try estimator.estimate(of: photo)
/// print(estimate.depth.median() ?? 0, estimate.uncertainty ?? 0)  // metres, relative error
/// ```
public struct DepthEstimate: Sendable, Equatable {
  /// The finished map: what ``DepthEstimator/depth(of:options:)`` gives.
  public package(set) var depth: DepthMap
  /// The network's own map, before refinement and calibration: metres along the optical axis, or disparity of unknown
  /// scale and shift (``DepthEstimator/unit``). It covers the whole photo. With the package's weights, it has 128 rows of 160 values
  /// for a landscape photo and 160 rows of 128 values for a portrait photo.
  public internal(set) var networkMap: DepthMap
  /// The expected relative error of each pixel of ``networkMap``: the expected |ln estimate − ln truth|, which has no unit.
  /// The map has the size of ``networkMap``. `nil` if no network of the estimate predicts its error.
  ///
  /// For several networks, the value is a sum of two terms. The first is the mean of the errors e that networks
  /// predict; a network that does not predict its error is left out. The second is a quarter of the mean absolute
  /// difference between the networks' ln depths and the mean of these. For two networks that both predict their errors,
  /// the value is (e₁ + e₂) / 2 + |ln d₁ − ln d₂| / 8. If a network also estimates the mirrored photo, the mean of its
  /// two ln depths counts as one. A fixed low-pass filter over 5 × 5 pixels of the map removes the lattice that
  /// up-projections leave in it.
  public let expectedError: ErrorMap?
  /// The camera that was assumed for the photo, and where it came from. Its focal length scales metres, but not relative
  /// disparity.
  public internal(set) var camera: PhotoCamera
  /// How far the maps that the estimate averages disagree, apart from the scale of each map. After each map's mean ln
  /// depth is subtracted, this is the standard deviation of ln depth over the maps at a pixel, averaged over the pixels
  /// that have a value in all maps. 0 means that the maps agree. `nil` for an estimate of a single map, for relative
  /// disparity, and if no pixel has a value in all maps.
  public let spread: Double?
  /// The expected relative error |estimate − truth| / truth of a photo of the training camera, averaged over its pixels: .15 is 15 %.
  ///
  /// The mean of ``expectedError``; `nil` if that is `nil`. Photos of other cameras are about twice as far off.
  public let uncertainty: Double?
  /// The factor by which expected errors grow for photos of other cameras than the training camera.
  private let otherCameraFactor: Double
  /// The fit that made metres of relative disparity; `nil` if the networks themselves give the unit of ``networkMap``.
  public private(set) var metricFit: MetricFit?
  /// The surface normals of ``networkMap``'s pixels, by weights that were loaded with ``WeightsSelection/givesNormals`` and have them;
  /// `nil` for others.
  public private(set) var normals: NormalMap?
  /// The raw maps of a network of points; `nil` for other networks.
  let points: PointMap?
  /// The fit of ``points`` to ``camera``.
  private(set) var pointFit: PointFit?
  /// The network's map beside that of the yardstick; with ``metricFit``.
  package private(set) var comparison: MetricComparison?

  /// The relative error from which depth is doubtful. A photo with this ``uncertainty`` is not of the kind that the package's network
  /// was trained on: rendered rooms have .13 to .19, close-ups, a landscape and noise .29 or more.
  package static let doubtfulError = 0.25

  /// - Parameters:
  ///   - maps: 1 to 64 maps of one photo, of one size, in metres of the training camera; those of a network follow each
  ///     other. Or one or two of relative disparity, of one network.
  ///   - mapsPerNetwork: Of each network.
  ///   - camera: The photo's camera.
  ///   - otherCameraFactor: The factor of expected errors for other cameras; see ``LoadedNetwork/otherCameraFactor``.
  ///   - threads: Threads to use; the result does not depend on it.
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
    // Keep only meaningful digits.
    spread = ensemble.spread.map { ($0 * 1e5).rounded() / 1e5 }
    uncertainty = expectedError.map { ($0.mean * 1e4).rounded() / 1e4 }
  }
}

extension DepthEstimate {
  /// - Parameters:
  ///   - points: The network's maps.
  ///   - fit: Of the points to a camera.
  ///   - camera: That of the fit.
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

  /// The photo's expected relative error with its camera: ``uncertainty``, times the weights' factor if the focal length is known not to
  /// be the training camera's. Networks predict the errors of photos of that camera.
  package var cameraUncertainty: Double? {
    uncertainty.map { camera.isTrainingCamera == false ? $0 * otherCameraFactor : $0 }
  }

  /// The factor by which messages and the page multiply expected errors: the weights', unless the photo is known to be of the training
  /// camera.
  package var toldErrorFactor: Double {
    camera.isTrainingCamera == true ? 1 : otherCameraFactor
  }

  /// The estimate with another map of the same photo.
  package func with(networkMap: DepthMap) -> DepthEstimate {
    var estimate = self
    (estimate.networkMap, estimate.depth) = (networkMap, networkMap)
    return estimate
  }

  /// The estimate in metres, by an estimate of the same photo that has metres.
  ///
  /// - Parameters:
  ///   - yardstick: Its camera becomes that of the result.
  ///   - comparison: Of the two estimates' maps.
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
  /// The mean of maps of relative disparity that one network made of a photo and of its mirror image; both have the network's scale
  /// and shift.
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
  /// `nil` where the network has one output.
  let error: ErrorMap?

  var mirrored: NetworkMap { NetworkMap(depth: depth.mirrored, error: error?.mirrored) }
}

extension NetworkMap {
  /// The maps of a network's output, `n × h × w × 1` or `n × h × w × 2` with the expected errors as second channel.
  ///
  /// - Parameter unit: What the network's values are.
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
