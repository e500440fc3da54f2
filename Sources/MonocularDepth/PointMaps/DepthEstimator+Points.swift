import DepthBase
import DepthErrors
package import DepthImages
import DepthNetworks
import SystemEssentials

/// Estimates with a point-map network.
extension DepthEstimator {
  /// Whether the estimator's only network estimates points, a mask and a camera; see ``MoGe2``.
  package var givesPoints: Bool { networks[0].rule.givesPoints }

  /// Fits a camera to the network's points and computes depth. If the camera is known, only the shift is fitted.
  ///
  /// - Parameter call: Can be cancelled between the network's layers.
  func pointEstimate(of photo: PreparedPhoto, call: CallContext) throws -> DepthEstimate {
    let (height, width) = photo.size
    let output = try networks[0].output(
      of: photo.inputs[0], aspect: Double(width) / Double(height), threads: call.threads,
      memory: memory, beforeLayer: call.checkpoint)
    var points = PointMap(output, image: 0, photo: photo.size)
    if averagesMirrored {
      points = points.mean(with: PointMap(output, image: 1, photo: photo.size).mirrored)
    }
    let samples = points.samples
    var free: PointFit?
    let camera = photo.camera.fitted(height: height, width: width) {
      let fit = PointFit(samples)
      free = fit
      return fit.focalLength
    }
    let fit =
      camera.source == .estimated ? free : nil
    let estimate = DepthEstimate(
      points, fit ?? PointFit(samples, focalLength: camera.diagonalFocalLength), camera: camera,
      size: photo.mapSize, threads: call.threads)
    guard estimate.networkMap.values.contains(where: estimate.networkMap.hasValue) else {
      throw DepthError(
        .noDepth, "the network finds no geometry in the photo, only sky or plain background")
    }
    return estimate
  }

  /// Throws if the weights have no mask of geometry, before a network runs.
  ///
  /// - Throws: `DepthError` with code `invalidArgument`.
  package func requireMask() throws {
    guard !givesPoints else { return }
    throw DepthError(
      .invalidArgument, file: weights.first?.lastPathComponent,
      "the network has no mask of pixels without a distance, expected weights that have one, such as moge-2-small"
    )
  }

  /// The map of a point-map network with the requested ``DepthOptions/background``. Other maps are returned unchanged.
  package func withBackground(_ depth: DepthMap, _ options: DepthOptions) -> DepthMap {
    guard givesPoints, options.background != .missing, let range = depth.range() else {
      return depth
    }
    let far = options.background == .infinite ? Self.farAway : range.high
    return DepthMap(
      height: depth.height, width: depth.width, unit: depth.unit,
      values: depth.values.map { depth.hasValue($0) ? $0 : far })
  }

  /// A depth in metres whose parallax is invisible in views: less than half a pixel with a baseline of 1 m.
  private static let farAway: Float = 10_000
}

extension DepthEstimate {
  /// The network's own focal length in units of half the diagonal, and ln of the metric scale; `nil` for networks other than
  /// point-map networks. The focal length is `nil` if the photo has a known focal length.
  package var ownScale: (focalLength: Double?, lnScale: Double)? {
    guard let points else { return nil }
    let isOwn = camera.source == .estimated
    return (isOwn ? camera.diagonalFocalLength : nil, log(Double(points.metricScale)))
  }

  /// The estimate with the focal length and scale of a shot; see ``ownScale``.
  package func rescaled(focalLength: Double?, lnScale: Double, threads: Int) -> DepthEstimate {
    guard var points else { return self }
    points.metricScale = Float(exp(lnScale))
    let camera = focalLength.map {
      self.camera.with(focalLength: $0, height: points.photoHeight, width: points.photoWidth)
    }
    return DepthEstimate(
      points,
      PointFit(points.samples, focalLength: focalLength ?? self.camera.diagonalFocalLength),
      camera: camera ?? self.camera, size: (networkMap.height, networkMap.width), threads: threads)
  }

  /// The mask, which is 1 for each pixel with geometry, and 0 for sky or a plain background; `nil` for networks without a
  /// mask.
  package func mask(height: Int, width: Int, threads: Int) -> [UInt8]? {
    guard let points, let pointFit else { return nil }
    let depth = points.depth(pointFit, height: height, width: width, threads: threads)
    return depth.values.map { depth.hasValue($0) ? 1 : 0 }
  }

  /// The network's own normals at the size of a map, 0 for pixels without a value; `nil` for networks without normals.
  package func networkNormals(of depth: DepthMap, threads: Int) -> NormalMap? {
    points?.normals(of: depth, threads: threads)
  }

  /// Nearest and farthest depth of geometry, metres; `nil` for networks without a mask.
  package var geometryRange: (low: Float, high: Float)? {
    points == nil ? nil : networkMap.range()
  }
}

extension PhotoCamera {
  /// The photo, whose metadata contain this camera if the network has estimated this camera.
  package func given(to photo: Image) -> Image {
    guard source == .estimated else { return photo }
    var photo = photo
    photo.metadata.focalLengthIn35mmFilm = camera.equivalentFocalLength
    photo.metadata.focalLengthIsExact = true
    return photo
  }

  /// The focal length in units of half the diagonal.
  var diagonalFocalLength: Double {
    2 * camera.focalLength
      / Double(camera.width * camera.width + camera.height * camera.height).squareRoot()
  }

  /// The camera with a focal length in units of half the diagonal.
  fileprivate func with(focalLength: Double, height: Int, width: Int) -> PhotoCamera {
    let diagonal = Double(width * width + height * height).squareRoot()
    var camera = self
    camera.camera = Camera(width: width, height: height, focalLength: focalLength * diagonal / 2)
    return camera
  }

  /// The camera after a network's estimate. The estimate replaces an unknown focal length. An inexact Exif focal length is
  /// moved toward the estimate, within the tolerance of whole millimetres.
  ///
  /// - Parameters:
  ///   - height: Rows of the photo.
  ///   - width: Columns of the photo.
  ///   - estimate: Returns the focal length in units of half the diagonal; called only if needed.
  func fitted(height: Int, width: Int, to estimate: () -> Double) -> PhotoCamera {
    switch source {
    case .given, .estimated: return self
    case .exif where isExact: return self
    case .exif:
      let own = diagonalFocalLength
      let difference = log(estimate() / own)
      let known = min(max(difference, -Self.exifTolerance), Self.exifTolerance)
      return with(focalLength: own * exp(known), height: height, width: width)
    case .assumed:
      var fitted = with(focalLength: estimate(), height: height, width: width)
      fitted.source = .estimated
      return fitted
    }
  }
}
