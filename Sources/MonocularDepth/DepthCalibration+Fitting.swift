import DepthErrors
public import DepthImages
public import DepthRefinement

extension DepthCalibration {
  /// Fits a calibration of a map to known distances.
  ///
  /// One point determines only the scale, and the shift is 0. Two or more points determine scale and shift by least squares
  /// on 1/Z, in which a centimetre counts more in the foreground. Relative disparity needs at least two points. With at least
  /// four points, the fit for relative disparity excludes outliers (``Residual/isLeftOut``).
  ///
  /// - Parameters:
  ///   - points: Pixels of the photo.
  ///   - depth: The photo's map, in metres, disparity or relative disparity, of any size.
  ///   - height: Rows of the photo.
  ///   - width: Columns of the photo.
  ///   - refinement: The refinement that aligned `depth` with the photo. The calibration records it, and the fit ignores it.
  /// - Throws: `DepthError` for points that are invalid, repeated or without a fit; code `unknownUnit` for a normalized map.
  public init(
    _ points: [KnownPoint], depth: DepthMap, photoHeight height: Int, width: Int,
    refinement: RefinementMethod = .joint(JointFilter())
  ) throws {
    guard !points.isEmpty else { throw DepthError.noPoints }
    var pixels: Set<Int> = []
    for point in points {
      guard Self.distances.contains(point.metres) else {
        throw DepthError.invalidDistance(x: point.x, y: point.y, metres: point.metres)
      }
      guard point.x >= 0, point.x < width, point.y >= 0, point.y < height else {
        throw DepthError.outsidePhoto(x: point.x, y: point.y, width: width, height: height)
      }
      guard pixels.insert(point.y * width + point.x).inserted else {
        throw DepthError.repeatedPoint(points.filter { ($0.x, $0.y) == (point.x, point.y) })
      }
    }
    let map = depth.unit == .relativeDisparity ? depth : try depth.inMetres()
    let predicted = try points.map { point -> Double in
      guard let value = map.interpolated(point.y, of: height, point.x, of: width) else {
        throw DepthError.noValue(x: point.x, y: point.y)
      }
      return value
    }
    let isRelative = map.unit == .relativeDisparity
    let metres = points.map(\.metres)
    let fit = try PointFit(
      predicted, metres: metres, map: map, isRobust: isRelative, isSparse: false)
    self.init(
      scale: fit.scale, shift: fit.shift,
      residuals: points.indices.map { index in
        let z = predicted[index]
        var residual = Residual(
          point: points[index], predicted: z,
          calibrated: isRelative ? fit.calibrated[index] : 1 / (fit.scale / z + fit.shift))
        (residual.mapUnit, residual.isLeftOut) = (map.unit, !fit.isUsed[index])
        return residual
      }, refinement: refinement)
    mapUnit = map.unit
    if isRelative { self.fit = fit.summary(metres: metres) }
  }

  /// Fits a calibration of a map to a sparse map of the same photo, such as the map of a laser scanner.
  ///
  /// The fit is by least squares on 1/Z over the pixels with a value in both maps, and excludes no outliers. Of more than
  /// 100 000 such pixels, the fit uses 100 000 that are evenly spread. ``residuals`` stays empty.
  ///
  /// - Parameters:
  ///   - sparse: A map of any size in metres or disparity, which covers the whole photo.
  ///   - depth: The photo's map, in metres, disparity or relative disparity, of any size.
  ///   - refinement: The refinement that aligned `depth` with the photo. The calibration records it, and the fit ignores it.
  /// - Throws: `DepthError`: code `unknownUnit` if `sparse` is not in metres or disparity or if `depth` is normalized; code
  ///   `noDepth` if fewer than two pixels have a value in both maps.
  public init(
    sparse: DepthMap, depth: DepthMap, refinement: RefinementMethod = .joint(JointFilter())
  ) throws {
    let map = depth.unit == .relativeDisparity ? depth : try depth.inMetres()
    let points = try SparsePoints(sparse, in: map)
    let fit = try PointFit(
      points.predicted, metres: points.metres, map: map, isRobust: true, isSparse: true)
    self.init(scale: fit.scale, shift: fit.shift, refinement: refinement)
    (mapUnit, self.fit) = (map.unit, fit.summary(metres: points.metres))
  }
}
