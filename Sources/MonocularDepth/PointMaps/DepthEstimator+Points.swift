import DepthBase
import DepthErrors
import DepthImages
import DepthNetworks
import SystemEssentials

extension DepthEstimator {
  /// The estimate of a network of points: the camera that fits them, or their shift for the camera that is known, and depth.
  ///
  /// - Parameter call: Is cancelled between the network's layers.
  func pointEstimate(of photo: PreparedPhoto, call: CallContext) throws -> DepthEstimate {
    let (height, width) = photo.size
    let output = try networks[0].output(
      of: photo.inputs[0], aspect: Double(width) / Double(height), threads: call.threads,
      memory: memory, beforeLayer: call.checkpoint)
    var points = PointMap(output, image: 0)
    if averagesMirrored {
      points = points.mean(with: PointMap(output, image: 1).mirrored)
    }
    let samples = points.samples(height: height, width: width)
    var fit = PointFit(samples)
    let camera = photo.camera.fitted(to: fit.focalLength, height: height, width: width)
    if camera.source != .estimated {
      fit = PointFit(samples, focalLength: camera.diagonalFocalLength)
    }
    let estimate = DepthEstimate(
      points, fit, camera: camera, size: photo.mapSize, threads: call.threads)
    guard estimate.networkMap.values.contains(where: estimate.networkMap.hasValue) else {
      throw DepthError(
        .noDepth, "the network finds no geometry in the photo, only sky or plain background")
    }
    return estimate
  }
}

extension PhotoCamera {
  /// The focal length in units of half the diagonal.
  var diagonalFocalLength: Double {
    2 * camera.focalLength
      / Double(camera.width * camera.width + camera.height * camera.height)
      .squareRoot()
  }

  /// The camera where a network has estimated one: the estimate where nothing else is known, and the value nearest to it within the
  /// tolerance of Exif's whole millimetres.
  ///
  /// - Parameters:
  ///   - estimated: The focal length in units of half the diagonal.
  ///   - height: Rows of the photo.
  ///   - width: Columns of the photo.
  func fitted(to estimated: Double, height: Int, width: Int) -> PhotoCamera {
    let diagonal = Double(width * width + height * height).squareRoot()
    func camera(_ focalLength: Double) -> Camera {
      Camera(width: width, height: height, focalLength: focalLength * diagonal / 2)
    }
    var fitted = self
    switch source {
    case .given, .estimated: break
    case .exif where isExact: break
    case .exif:
      let own = diagonalFocalLength
      let difference = log(estimated / own)
      fitted.camera = camera(
        own * exp(min(max(difference, -Self.exifTolerance), Self.exifTolerance)))
    case .assumed:
      (fitted.camera, fitted.source) = (camera(estimated), .estimated)
    }
    return fitted
  }
}
