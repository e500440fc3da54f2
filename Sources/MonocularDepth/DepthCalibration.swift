import DepthErrors
public import DepthImages
public import DepthRefinement

/// A correction of predicted maps, fitted to known distances. From a predicted depth Ẑ, the depth Z is computed as
/// `1/Z = scale / Ẑ + shift`; from relative disparity d, as `1/Z = scale · d + shift`.
///
/// For example, the scale corrects a wrong focal length. With two or more points, the shift also corrects an offset of 1/Z.
/// A calibration of maps in metres is valid for all photos of one camera and network. A calibration of relative disparity is
/// valid only for its own photo: in other photos the network's disparity may have another scale and shift.
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
public struct DepthCalibration: Sendable, Hashable {
  /// The unit of the maps to correct: `.metres` for maps in metres or disparity, or `.relativeDisparity`.
  public var mapUnit: DepthMap.Unit = .metres
  /// The positive scale: without a unit for maps in metres, in 1 / metres for relative disparity.
  public var scale: Double
  /// The shift in 1 / metres.
  public var shift: Double
  /// The identifier of the weights of the maps; see ``DepthEstimator/weightsIdentifier()``.
  public var weightsIdentifier: String?
  /// The refinement of the map before the fit. A calibration is valid for maps with the same refinement, and is applied after
  /// the refinement.
  package var refinement: RefinementMethod.Name
  /// The camera's focal length divided by the geometric mean of the photo's sides; `nil` if not recorded. The quotient does not
  /// depend on the photo's size.
  public var relativeFocalLength: Double?
  /// The fitted points; empty for a fit to a sparse map.
  public var residuals: [Residual]
  /// The errors of a fit that can exclude points; `nil` for a map in metres that was fitted to known points.
  package var fit: Fit?

  /// Accepted factors of estimated metres in a request.
  package static let factors = 0.01...100

  /// Creates a calibration from known numbers, such as stored numbers.
  public init(
    scale: Double, shift: Double, weightsIdentifier: String? = nil, residuals: [Residual] = [],
    refinement: RefinementMethod = .none, relativeFocalLength: Double? = nil
  ) {
    self.relativeFocalLength = relativeFocalLength
    (self.scale, self.shift, self.refinement) = (scale, shift, refinement.name)
    (self.weightsIdentifier, self.residuals) = (weightsIdentifier, residuals)
  }

  /// Rejects normalized maps. Map and calibration must both be relative, or both be metric.
  ///
  /// - Throws: `DepthError` with code `unknownUnit`.
  package func check(_ unit: DepthMap.Unit) throws {
    if case .normalized = unit { throw DepthError.noUnit(for: "a calibration") }
    guard (unit == .relativeDisparity) == (mapUnit == .relativeDisparity) else {
      throw DepthError.otherMaps(expected: mapUnit, found: unit)
    }
  }

  /// The ratio of a camera's focal length to that of the calibrated camera; `nil` if no focal length is recorded.
  package func focalLengthRatio(to camera: Camera) -> Double? {
    relativeFocalLength.map { camera.relativeFocalLength / $0 }
  }

  /// Records the camera's focal length, so that maps of another camera are rejected.
  public mutating func record(_ camera: Camera) {
    relativeFocalLength = (camera.relativeFocalLength * 1e5).rounded() / 1e5
  }

  /// Accepted distances in metres: a millimetre to a thousand kilometres.
  static let distances = 1e-3...1e6
}
