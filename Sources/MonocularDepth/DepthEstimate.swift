public import DepthImages
import DepthWeights

/// A photo's depth, and how far off it may be.
///
/// ```swift
/// let estimate = try estimator.estimate(of: photo)
/// print(estimate.depth.median ?? 0, estimate.uncertainty ?? 0)  // metres, relative error
/// ```
public struct DepthEstimate: Sendable, Equatable {
  /// Metres along the optical axis, or of relative networks disparity of unknown scale and shift (``DepthEstimator/unit``); see
  /// ``DepthEstimator/depth(of:camera:limits:)``.
  public let depth: DepthMap
  /// The relative error to expect of each pixel of ``depth``, of the same size: the expected |Δ ln depth|, which has no unit.
  /// `nil` where no network of the estimate tells.
  ///
  /// Of several networks it is the mean of what those expect that tell, and how far the networks' depths lie from their geometric mean, as the
  /// mean of |Δ ln depth|: of two (e₁ + e₂) / 2 + |ln d₁ − ln d₂| / 2. The photo's mirror image counts as part of its network,
  /// whose error is the mean of both.
  public let expectedError: ErrorMap?
  /// The camera that the photo was taken to come from; its focal length scales ``depth`` in metres, and leaves relative disparity alone.
  public let camera: PhotoCamera
  /// How far the maps disagree that the estimate is the mean of, beside the scale of the whole photo: the
  /// standard deviation of the logarithms of their depths at a pixel, each map's mean subtracted, averaged
  /// over the pixels. 0 is agreement. `nil` where one network saw the photo once, and for relative disparity.
  public let spread: Double?
  /// The relative error |estimate − truth| / truth to expect of the photo, as the mean over its pixels: .15
  /// is 15 %. It is the mean of ``expectedError`` where there is one; else it follows from ``spread`` by a line fitted to
  /// photos of rooms with known depth, and is `nil` where the spread is.
  ///
  /// `Weights/README.md` says how well it ranks photos.
  public let uncertainty: Double?

  /// - Parameters:
  ///   - maps: 1 to 64 maps of one photo, of one size, in metres of the training camera; those of a network follow each
  ///     other. Or one or two of relative disparity, of one network.
  ///   - mapsPerNetwork: Of each network.
  ///   - camera: The photo's camera.
  init(_ maps: [NetworkMap], mapsPerNetwork: Int, camera: PhotoCamera) {
    self.camera = camera
    guard maps[0].depth.unit == .metres else {
      depth = .meanDisparity(of: maps.map(\.depth))
      (expectedError, spread, uncertainty) = (nil, nil, nil)
      return
    }
    let ensemble = MapEnsemble(
      maps.map(\.depth), errors: maps.compactMap(\.error), mapsPerNetwork: mapsPerNetwork)
    let line = DepthWeights.expectedError
    depth = ensemble.depth.scaled(by: camera.depthFactor)
    expectedError = ensemble.error
    // Keep only meaningful digits.
    spread = ensemble.spread.map { ($0 * 1e5).rounded() / 1e5 }
    uncertainty = (ensemble.error?.mean ?? ensemble.spread.map { line.floor + line.slope * $0 })
      .map { ($0 * 1e4).rounded() / 1e4 }
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
