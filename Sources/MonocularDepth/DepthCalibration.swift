import DepthErrors
public import DepthImages
public import DepthRefinement

/// A correction of a predicted map, fitted to known distances. It computes the depth Z from a predicted depth Ẑ as
/// `1/Z = scale / Ẑ + shift`, or from relative disparity d as `1/Z = scale · d + shift`.
///
/// The scale corrects, for example, a wrong focal length. With two points or more, the shift also corrects an offset of
/// 1/Z. A calibration of maps in metres is valid for all photos of one camera and one network. A calibration of
/// relative disparity turns it into metres, but is valid only for the photo that it was fitted to: in another photo the
/// network's disparity may have another scale and shift.
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

  /// A known point, and the map's value there before and after calibration.
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
    /// Whether the fit does not use the point, because it is an outlier: far off the line through the other points.
    public var isLeftOut = false

    init(point: KnownPoint, predicted: Double, calibrated: Double) {
      (self.point, self.predicted, self.calibrated) = (point, predicted, calibrated)
    }

    /// Calibrated depth − measured depth, metres: positive where the calibrated map is too far.
    public var error: Double { calibrated - point.metres }
  }

  /// The maps that the calibration corrects: `.metres` means maps in metres or disparity, `.relativeDisparity` maps of
  /// relative disparity.
  public var mapUnit: DepthMap.Unit = .metres
  /// Positive. It has no unit for maps in metres, and the unit 1 / metres for relative disparity.
  public var scale: Double
  /// 1 / metres.
  public var shift: Double
  /// Identifies the weights whose maps it corrects; see ``DepthEstimator/weightsSHA256()``.
  public var weightsSHA256: String?
  /// How the map was refined before it was compared with the points. A calibration is valid for maps that were refined in the
  /// same way, and is applied after refinement.
  public var refinement: RefinementMethod.Name
  /// The camera's focal length divided by the geometric mean of the photo's sides, which does not depend on the photo's size;
  /// `nil` if it was not recorded.
  public var relativeFocalLength: Double?
  /// The points that it was fitted to; empty if it was fitted to a sparse map.
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

  /// Fits a calibration of a map to known distances.
  ///
  /// One point gives the scale alone; the shift is 0. Two or more give scale and shift by least squares on 1/Z, so an
  /// error of a centimetre counts more in the foreground than far away. Relative disparity needs at least two points.
  /// For relative disparity with four points or more, the fit does not use outliers (``Residual/isLeftOut``).
  ///
  /// - Parameters:
  ///   - points: Pixels of the photo.
  ///   - depth: The photo's map, in metres, disparity or relative disparity, of any size.
  ///   - height: Rows of the photo.
  ///   - width: Columns of the photo.
  ///   - refinement: How `depth` was refined by the photo. It is recorded, and does not change the fit.
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

  /// Fits a calibration of a map to a sparse map of the same photo, such as a laser scanner's.
  ///
  /// Scale and shift are fitted by least squares on 1/Z, over the pixels that have a value in both maps, without outliers. If there are
  /// more than 100 000 such pixels, the fit uses 100 000, evenly spread. ``residuals`` stays empty.
  ///
  /// - Parameters:
  ///   - sparse: Metres or disparity, of any size; covers the whole photo.
  ///   - depth: The photo's map, in metres, disparity or relative disparity, of any size.
  ///   - refinement: How `depth` was refined by the photo. It is recorded, and does not change the fit.
  /// - Throws: `DepthError`: with code `unknownUnit` if `sparse` is not in metres or disparity or if `depth` is
  ///   normalized, and with code `noDepth` if fewer than two pixels have a value in both maps.
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

  /// The focal length of a camera divided by that of the calibrated camera; `nil` if the calibrated one was not recorded.
  public func focalLengthRatio(to camera: Camera) -> Double? {
    relativeFocalLength.map { camera.relativeFocalLength / $0 }
  }

  /// Records the focal length of the camera whose maps are corrected (``relativeFocalLength``).
  public mutating func record(_ camera: Camera) {
    relativeFocalLength = (camera.relativeFocalLength * 1e5).rounded() / 1e5
  }

  /// Known distances that make sense, metres: a millimetre to a thousand kilometres.
  static let distances = 1e-3...1e6
}

extension DepthMap {
  /// The map with the correction applied: `Z = 1 / (scale / Ẑ + shift)`, or for relative disparity `Z = 1 / (scale · d + shift)`.
  ///
  /// A pixel has no value in the result if a negative shift makes its 1/Z zero or negative.
  ///
  /// - Returns: A map in metres.
  /// - Throws: `DepthError`: with code `noDepth` if this map has values but the result has none, and with code
  ///   `unknownUnit` for a normalized map and for a map whose unit does not match the calibration's `mapUnit`.
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
