import DepthErrors
public import DepthImages
public import DepthRefinement

/// A correction of predicted depth from known distances: `1/Z = scale / Ẑ + shift`.
///
/// The scale undoes a wrong focal length; with two points or more the shift undoes an offset of 1/Z as
/// well, which is what relative depth lacks to be metric. Both hold for one camera and one network.
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
    /// The estimated depth at the point before and after calibration, metres.
    public var predicted, calibrated: Double

    /// How much too far the calibrated map is, metres.
    public var error: Double { calibrated - point.metres }
  }

  /// Dimensionless, positive.
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
  /// The points that it was computed from.
  public var residuals: [Residual]

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
  /// a centimetre counts more in the foreground than far away.
  ///
  /// - Parameters:
  ///   - points: Pixels of the photo.
  ///   - depth: The photo's map, in metres or disparity, of any size.
  ///   - height: Rows of the photo.
  ///   - width: Columns of the photo.
  ///   - refinement: How `depth` was refined by the photo; recorded, nothing else.
  /// - Throws: `DepthError`; `DepthError/noUnit` for a normalized map.
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
    let map = try depth.inMetres
    let predicted = try points.map { point -> Double in
      // Pixel centres of the photo in the map's own pixels.
      let y = (Double(point.y) + 0.5) / Double(height) * Double(map.height) - 0.5
      let x = (Double(point.x) + 0.5) / Double(width) * Double(map.width) - 0.5
      guard let value = map.interpolated(y, x) else {
        throw DepthError.noValue(x: point.x, y: point.y)
      }
      return value
    }
    let known = points.map { 1 / $0.metres }
    let (scale, shift) = try Self.line(through: predicted.map { 1 / $0 }, known)
    guard scale > 0, predicted.allSatisfy({ scale / $0 + shift > 0 }) else {
      throw DepthError.contradiction(scale: scale, shift: shift)
    }
    self.init(
      scale: scale, shift: shift,
      residuals: zip(points, predicted).map { point, z in
        Residual(point: point, predicted: z, calibrated: 1 / (scale / z + shift))
      }, refinement: refinement)
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

  /// Spread of the predicted 1/Z, relative to their mean, below which no shift can be told.
  private static let smallestSpread = 1e-4

  /// The line `v = scale · u + shift` nearest to all points; through the origin when there is one.
  private static func line(
    through u: [Double], _ v: [Double]
  ) throws -> (scale: Double, shift: Double) {
    guard u.count > 1 else { return (v[0] / u[0], 0) }
    let count = Double(u.count)
    let (meanU, meanV) = (u.reduce(0, +) / count, v.reduce(0, +) / count)
    let variance = u.reduce(0) { $0 + ($1 - meanU) * ($1 - meanU) } / count
    guard variance.squareRoot() > smallestSpread * meanU else {
      throw DepthError.sameDepth(metres: 1 / meanU)
    }
    let covariance = zip(u, v).reduce(0) { $0 + ($1.0 - meanU) * ($1.1 - meanV) } / count
    let scale = covariance / variance
    return (scale, meanV - scale * meanU)
  }
}

extension DepthMap {
  /// The map with the correction applied: `Z = 1 / (scale / Ẑ + shift)`.
  ///
  /// Pixels that a negative shift would push beyond infinity have no value.
  ///
  /// - Returns: A map in metres.
  /// - Throws: `DepthError` with code `noDepth` when no pixel that had a value keeps one;
  ///   `DepthError/noUnit` for a normalized map.
  public func calibrated(by calibration: DepthCalibration) throws -> DepthMap {
    let metres = try inMetres
    let result = DepthMap(
      height: height, width: width, unit: .metres,
      values: metres.values.map { value in
        guard metres.hasValue(value) else { return 0 }
        let disparity = calibration.scale / Double(value) + calibration.shift
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
