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
    var points = PointMap(output, image: 0, photo: photo.size)
    if averagesMirrored {
      points = points.mean(with: PointMap(output, image: 1, photo: photo.size).mirrored)
    }
    let samples = points.samples
    var fit = PointFit(samples)
    let camera = photo.camera.fitted(to: fit.focalLength, height: height, width: width)
    if camera.source != .estimated {
      fit = PointFit(samples, focalLength: camera.diagonalFocalLength)
    }
    let estimate = DepthEstimate(
      points, fit, camera: camera, size: photo.mapSize, background: photo.background,
      threads: call.threads)
    guard estimate.networkMap.values.contains(where: estimate.networkMap.hasValue) else {
      throw DepthError(
        .noDepth, "the network finds no geometry in the photo, only sky or plain background")
    }
    return estimate
  }
}

/// Frames of a film, whose cameras and scales are one.
extension DepthEstimate {
  /// The network's own focal length, in units of half the diagonal and `nil` if the photo's is known, and ln of its metric scale;
  /// `nil` for other networks.
  package var ownScale: (focalLength: Double?, lnScale: Double)? {
    guard let points else { return nil }
    let isOwn = camera.source == .estimated
    return (isOwn ? camera.diagonalFocalLength : nil, log(Double(points.metricScale)))
  }

  /// The estimate by another focal length and scale; see ``ownScale``.
  package func steadied(
    focalLength: Double?, lnScale: Double, background: DepthOptions.Background, threads: Int
  ) -> DepthEstimate {
    guard let points else { return self }
    let fit = PointFit(points.samples, focalLength: focalLength ?? camera.diagonalFocalLength)
    var steady = self
    if focalLength != nil {
      steady.camera = camera.with(
        focalLength: fit.focalLength, height: points.photoHeight, width: points.photoWidth)
    }
    steady.networkMap = points.depth(
      fit, scale: Float(exp(lnScale)), background: background, height: networkMap.height,
      width: networkMap.width, threads: threads)
    steady.depth = steady.networkMap
    return steady
  }

  /// 1 for each pixel that has geometry, 0 for one of the sky or of a plain background; `nil` for networks that do not know.
  package func mask(height: Int, width: Int, threads: Int) -> [UInt8]? {
    points?.mask(height: height, width: width, threads: threads)
  }
}

extension DepthEstimator {
  /// Fails before a network runs if the weights do not say where there is no geometry.
  ///
  /// - Throws: `DepthError` with code `invalidArgument`.
  package func requireMask() throws {
    guard !networks[0].rule.isScalable else { return }
    throw DepthError(
      .invalidArgument, file: weights.first?.lastPathComponent,
      "the network has no mask of what has no distance, expected weights that have one, such as moge-2-small"
    )
  }
}

extension PhotoCamera {
  /// A photo whose computations use this camera, if the network has estimated it.
  package func given(to photo: Image) -> Image {
    guard source == .estimated else { return photo }
    var photo = photo
    photo.metadata.focalLengthIn35mmFilm = camera.equivalentFocalLength
    photo.metadata.focalLengthIsExact = true
    return photo
  }

  /// The camera with a focal length in units of half the diagonal.
  fileprivate func with(focalLength: Double, height: Int, width: Int) -> PhotoCamera {
    let diagonal = Double(width * width + height * height).squareRoot()
    var camera = self
    camera.camera = Camera(width: width, height: height, focalLength: focalLength * diagonal / 2)
    return camera
  }

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
    switch source {
    case .given, .estimated: return self
    case .exif where isExact: return self
    case .exif:
      let own = diagonalFocalLength
      let difference = log(estimated / own)
      let known = min(max(difference, -Self.exifTolerance), Self.exifTolerance)
      return with(focalLength: own * exp(known), height: height, width: width)
    case .assumed:
      var fitted = with(focalLength: estimated, height: height, width: width)
      fitted.source = .estimated
      return fitted
    }
  }
}
