import DepthErrors
public import DepthImages
public import DepthRefinement

/// A correction of predicted depth from known distances: `1/Z = scale / Ẑ + shift`, or of relative disparity d
/// `1/Z = scale · d + shift`.
///
/// The scale undoes a wrong focal length; with two points or more the shift undoes an offset of 1/Z as
/// well. Both hold for one camera and one network. Relative disparity becomes metres by them; its scale and shift belong to the
/// photo they were fitted on, and hold for others as far as the network sees them alike.
///
/// ```swift
/// let door = DepthCalibration.KnownPoint(x: 320, y: 240, metres: 2.4)
/// let calibration = try DepthCalibration(
///   [door], depth: depth, photoHeight: photo.height, width: photo.width)
/// let calibrated = try depth.calibrated(by: calibration)
/// ```
///
/// > Source: R. Ranftl et al. “Towards Robust Monocular Depth Estimation.” TPAMI 2020, equation 4: scale
/// > and shift in disparity space by least squares.
public struct DepthCalibration: Sendable, Equatable {
  /// A pixel of the photo whose distance along the optical axis is known.
  ///
  /// ```swift
  /// let lamp = DepthCalibration.KnownPoint(x: 80, y: 400, metres: 1.1)
  /// ```
  public struct KnownPoint: Sendable, Equatable {
    /// Column and row, from 0.
    public var x, y: Int
    /// The measured depth, metres along the optical axis.
    public var metres: Double

    /// A pixel at column `x` and row `y`, and its depth in metres.
    public init(x: Int, y: Int, metres: Double) {
      (self.x, self.y, self.metres) = (x, y, metres)
    }
  }

  /// A known point and the map's depth there, before and after calibration; metres.
  ///
  /// ```swift
  /// for residual in calibration.residuals { print(residual.point, residual.error) }
  /// ```
  public struct Residual: Sendable, Equatable {
    /// The measured point.
    public var point: KnownPoint
    /// The map at the point before calibration: metres, or relative disparity (``mapUnit``).
    public var predicted: Double
    /// The depth at the point after calibration, metres.
    public var calibrated: Double
    /// What ``predicted`` is: `.metres` or `.relativeDisparity`.
    public var mapUnit: DepthMap.Unit = .metres
    /// Whether the point was far off the line through the others, and does not count.
    public var isLeftOut = false

    init(point: KnownPoint, predicted: Double, calibrated: Double) {
      (self.point, self.predicted, self.calibrated) = (point, predicted, calibrated)
    }

    /// How much too far the calibrated map is, metres.
    public var error: Double { calibrated - point.metres }
  }

  /// What it corrects: `.metres`, for maps in metres or disparity, or `.relativeDisparity`.
  public var mapUnit: DepthMap.Unit = .metres
  /// Positive; without a unit for maps in metres, else 1 / metres per unit of relative disparity.
  public var scale: Double
  /// 1 / metres.
  public var shift: Double
  /// Identifies the weights whose maps it corrects; see ``DepthEstimator/weightsSHA256()``.
  public var weightsSHA256: String?
  /// How the map was refined before it was compared with the points. A calibration holds for maps that
  /// were refined alike, and is applied after refinement.
  public var refinement: RefinementMethod.Name
  /// Focal length of the camera over the geometric mean of the photo's sides, which does not depend on the photo's
  /// size; `nil` where it was not recorded.
  public var relativeFocalLength: Double?
  /// The points that it was computed from; none of a sparse map.
  public var residuals: [Residual]
  /// How well it meets its points; `nil` for points that all count.
  package var fit: Fit?

  /// A calibration of known numbers, such as one that was stored elsewhere.
  public init(
    scale: Double, shift: Double, weightsSHA256: String? = nil, residuals: [Residual] = [],
    refinement: RefinementMethod.Name = .none, relativeFocalLength: Double? = nil
  ) {
    self.relativeFocalLength = relativeFocalLength
    (self.scale, self.shift, self.refinement) = (scale, shift, refinement)
    (self.weightsSHA256, self.residuals) = (weightsSHA256, residuals)
  }

  /// The calibration that brings a map nearest to known distances.
  ///
  /// One point gives the scale alone. Two or more give scale and shift by least squares on 1/Z, so that
  /// a centimetre counts more in the foreground than far away. Relative disparity needs two or more. Of its points, where there are
  /// four or more, those that are far off the line through the others are left out (``Residual/isLeftOut``).
  ///
  /// - Parameters:
  ///   - points: Pixels of the photo.
  ///   - depth: The photo's map, in metres, disparity or relative disparity, of any size.
  ///   - height: Rows of the photo.
  ///   - width: Columns of the photo.
  ///   - refinement: How `depth` was refined by the photo; recorded, nothing else.
  /// - Throws: `DepthError`; with code `unknownUnit` for a normalized map.
  public init(
    _ points: [KnownPoint], depth: DepthMap, photoHeight height: Int, width: Int,
    refinement: RefinementMethod.Name = .none
  ) throws {
    guard !points.isEmpty else { throw DepthError.noPoints }
    for point in points {
      guard Self.distances.contains(point.metres) else {
        throw DepthError.invalidDistance(x: point.x, y: point.y, metres: point.metres)
      }
      guard point.x >= 0, point.x < width, point.y >= 0, point.y < height else {
        throw DepthError.outsidePhoto(x: point.x, y: point.y, width: width, height: height)
      }
    }
    let map = depth.unit == .relativeDisparity ? depth : try depth.inMetres
    let predicted = try points.map { point -> Double in
      // Pixel centres of the photo in the map's own pixels.
      let y = (Double(point.y) + 0.5) / Double(height) * Double(map.height) - 0.5
      let x = (Double(point.x) + 0.5) / Double(width) * Double(map.width) - 0.5
      guard let value = map.interpolated(y, x) else {
        throw DepthError.noValue(x: point.x, y: point.y)
      }
      return value
    }
    let isRelative = map.unit == .relativeDisparity
    let metres = points.map(\.metres)
    let fit = try PointFit(
      isRelative ? predicted : predicted.map { 1 / $0 }, metres: metres, map: map,
      isRobust: isRelative, isSparse: false)
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

  /// The calibration that brings a map nearest to a sparse one of the same photo, such as that of a laser scanner.
  ///
  /// Scale and shift by least squares on 1/Z over the pixels that have a value in both, without those that are far off the line
  /// through the others. Of more than 100 000 pixels as many are taken, evenly spread. No point is kept in ``residuals``.
  ///
  /// - Parameters:
  ///   - sparse: Metres or disparity, of any size; covers the whole photo.
  ///   - depth: The photo's map, in metres, disparity or relative disparity, of any size.
  ///   - refinement: How `depth` was refined by the photo; recorded, nothing else.
  /// - Throws: `DepthError`; with code `unknownUnit` for a map without distances, and with code `noDepth` where fewer than two pixels
  ///   have a value in both maps.
  public init(
    sparse: DepthMap, depth: DepthMap, refinement: RefinementMethod.Name = .none
  ) throws {
    try sparse.unit.requireMetric(for: "sparse depth")
    let known = try sparse.inMetres
    let map = depth.unit == .relativeDisparity ? depth : try depth.inMetres
    let pixels = known.values.indices.filter { Self.distances.contains(Double(known.values[$0])) }
    let count = min(pixels.count, Self.sparsePoints)
    var (metres, predicted): ([Double], [Double]) = ([], [])
    for pixel in (0..<count).map({ pixels[$0 * pixels.count / count] }) {
      let y = (Double(pixel / known.width) + 0.5) / Double(known.height) * Double(map.height) - 0.5
      let x = (Double(pixel % known.width) + 0.5) / Double(known.width) * Double(map.width) - 0.5
      guard let value = map.interpolated(y, x) else { continue }
      metres.append(Double(known.values[pixel]))
      predicted.append(value)
    }
    guard metres.count > 1 else { throw DepthError.noSparsePoints(found: metres.count) }
    let isRelative = map.unit == .relativeDisparity
    let fit = try PointFit(
      isRelative ? predicted : predicted.map { 1 / $0 }, metres: metres, map: map, isRobust: true,
      isSparse: true)
    self.init(scale: fit.scale, shift: fit.shift, refinement: refinement)
    (mapUnit, self.fit) = (map.unit, fit.summary(metres: metres))
  }

  /// Pixels of a sparse map that are fitted, at most.
  private static let sparsePoints = 100_000

  /// Fails for maps of another kind than those that it was fitted to.
  ///
  /// - Throws: `DepthError` with code `unknownUnit`.
  package func check(_ unit: DepthMap.Unit) throws {
    if case .normalized = unit { throw DepthError.noUnit(for: "a calibration") }
    guard (unit == .relativeDisparity) == (mapUnit == .relativeDisparity) else {
      throw DepthError.otherMaps(expected: mapUnit, found: unit)
    }
  }

  /// How many times the focal length of the calibrated camera another one has; `nil` where that is not known.
  public func focalLengthRatio(to camera: Camera) -> Double? {
    relativeFocalLength.map { camera.relativeFocalLength / $0 }
  }

  /// Records the camera whose maps are corrected.
  public mutating func record(_ camera: Camera) {
    relativeFocalLength = (camera.relativeFocalLength * 1e5).rounded() / 1e5
  }

  /// Known distances that make sense, metres: a millimetre to a thousand kilometres.
  static let distances = 1e-3...1e6
}

extension DepthMap {
  /// The map with the correction applied: `Z = 1 / (scale / Ẑ + shift)`, or of relative disparity `1 / (scale · d + shift)`.
  ///
  /// Pixels that a negative shift would push beyond infinity have no value.
  ///
  /// - Returns: A map in metres.
  /// - Throws: `DepthError` with code `noDepth` when no pixel that had a value keeps one; with code `unknownUnit` for a map that
  ///   is not of the kind that the calibration was fitted to (its `mapUnit`), and for a normalized map.
  public func calibrated(by calibration: DepthCalibration) throws -> DepthMap {
    try calibration.check(unit)
    let isRelative = unit == .relativeDisparity
    let source = isRelative ? self : try inMetres
    let (scale, shift) = (calibration.scale, calibration.shift)
    let result = DepthMap(
      height: height, width: width, unit: .metres,
      values: source.values.map { value in
        guard source.hasValue(value) else { return 0 }
        let disparity =
          isRelative ? scale * Double(value) + shift : scale / Double(value) + shift
        let depth = Float(1 / disparity)
        return disparity > 0 && depth.isFinite ? depth : 0
      })
    guard result.values.contains(where: result.hasValue) || !values.contains(where: hasValue) else {
      throw DepthError.nothingLeft(scale: calibration.scale, shift: calibration.shift)
    }
    return result
  }
}

extension DepthMap {
  /// The bilinear mean of the values around a place, edges repeated; `nil` where more than half of the
  /// weight has no value.
  fileprivate func interpolated(_ y: Double, _ x: Double) -> Double? {
    let (top, left) = (y.rounded(.down), x.rounded(.down))
    var (sum, weight) = (0.0, 0.0)
    for (row, rowShare) in [(Int(top), 1 - (y - top)), (Int(top) + 1, y - top)] {
      for (column, columnShare) in [(Int(left), 1 - (x - left)), (Int(left) + 1, x - left)] {
        let (row, column) = (min(max(row, 0), height - 1), min(max(column, 0), width - 1))
        let value = values[row * width + column]
        guard hasValue(value) else { continue }
        sum += rowShare * columnShare * Double(value)
        weight += rowShare * columnShare
      }
    }
    return weight >= 0.5 ? sum / weight : nil
  }
}
