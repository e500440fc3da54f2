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
public struct DepthCalibration: Sendable, Hashable {
  /// The maps that the calibration corrects: `.metres` means maps in metres or disparity, `.relativeDisparity` maps of
  /// relative disparity.
  public var mapUnit: DepthMap.Unit = .metres
  /// Positive. It has no unit for maps in metres, and the unit 1 / metres for relative disparity.
  public var scale: Double
  /// 1 / metres.
  public var shift: Double
  /// Identifies the weights whose maps it corrects; see ``DepthEstimator/weightsIdentifier()``.
  public var weightsIdentifier: String?
  /// How the map was refined before it was compared with the points. A calibration is valid for maps that were refined in the
  /// same way, and is applied after refinement.
  package var refinement: RefinementMethod.Name
  /// The camera's focal length divided by the geometric mean of the photo's sides, which does not depend on the photo's size;
  /// `nil` if it was not recorded.
  public var relativeFocalLength: Double?
  /// The points that it was fitted to; empty if it was fitted to a sparse map.
  public var residuals: [Residual]
  /// How well it meets its points; `nil` for points that all count.
  package var fit: Fit?

  /// Factors of estimated metres that a request may ask for.
  package static let factors = 0.01...100

  /// A calibration of known numbers, such as one that was stored elsewhere.
  public init(
    scale: Double, shift: Double, weightsIdentifier: String? = nil, residuals: [Residual] = [],
    refinement: RefinementMethod = .none, relativeFocalLength: Double? = nil
  ) {
    self.relativeFocalLength = relativeFocalLength
    (self.scale, self.shift, self.refinement) = (scale, shift, refinement.name)
    (self.weightsIdentifier, self.residuals) = (weightsIdentifier, residuals)
  }

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
  package func focalLengthRatio(to camera: Camera) -> Double? {
    relativeFocalLength.map { camera.relativeFocalLength / $0 }
  }

  /// Records the focal length of the camera whose maps are corrected, so that maps of another camera are refused.
  public mutating func record(_ camera: Camera) {
    relativeFocalLength = (camera.relativeFocalLength * 1e5).rounded() / 1e5
  }

  /// Known distances that make sense, metres: a millimetre to a thousand kilometres.
  static let distances = 1e-3...1e6
}
