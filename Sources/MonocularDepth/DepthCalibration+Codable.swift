import DepthImages
import DepthRefinement

/// The object in a calibration file. The keys `format` (`depth-calibration`), `version`, `scale` and `shift` are required.
/// Optional keys are `weights_sha256`, `refinement`, `relative_focal_length`, `points` (a list of
/// ``DepthCalibration/residuals``), and `fit` with the keys `points`, `left_out`, `rms_m` and `median_error_m`.
///
/// Version 1 is for maps in metres. Version 2 is for relative disparity and adds `map_unit`: `relative-disparity`. Programs
/// that support only version 1 reject version 2.
package struct CalibrationFile: Codable, Equatable {
  private static let formatName = "depth-calibration"

  /// The content of the file.
  package let calibration: DepthCalibration

  package init(_ calibration: DepthCalibration) { self.calibration = calibration }

  private enum CodingKeys: String, CodingKey {
    case format, version, scale, shift, refinement, points, fit
    case mapUnit = "map_unit"
    case weightsIdentifier = "weights_sha256"
    case relativeFocalLength = "relative_focal_length"
  }

  /// Reads the object. Unknown keys are ignored, so files with later additions stay readable.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let format = try values.decode(String.self, forKey: .format)
    let version = try values.decode(Int.self, forKey: .version)
    guard format == Self.formatName, version == 1 || version == 2 else {
      throw decoder.damaged(
        "is \(format) version \(version), expected \(Self.formatName) version 1 or 2")
    }
    let unit = try values.decodeIfPresent(String.self, forKey: .mapUnit)
    guard version == 1 || unit != nil else {
      throw decoder.damaged("is \(format) version \(version) without the key 'map_unit'")
    }
    guard (unit ?? "metres") == (version == 1 ? "metres" : "relative-disparity") else {
      throw decoder.damaged(
        "is \(format) version \(version) for maps of another unit, expected metres in version 1 and "
          + "relative-disparity in version 2")
    }
    let scale = try values.decode(Double.self, forKey: .scale)
    let shift = try values.decode(Double.self, forKey: .shift)
    guard scale > 0, scale.isFinite, shift.isFinite else {
      throw decoder.damaged(
        "scale \(scale) and shift \(shift), expected a positive and a finite number")
    }
    // Files without the key `refinement` were fitted to unrefined maps.
    let name =
      try values.decodeIfPresent(String.self, forKey: .refinement)
      ?? RefinementMethod.Name.none.rawValue
    guard let refinement = RefinementMethod.Name(rawValue: name) else {
      let names = RefinementMethod.Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw decoder.damaged("the refinement is '\(name)', expected \(names)")
    }
    var calibration = DepthCalibration(
      scale: scale, shift: shift,
      weightsIdentifier: try values.decodeIfPresent(String.self, forKey: .weightsIdentifier),
      residuals: try values.decodeIfPresent([Point].self, forKey: .points)?.map(\.residual) ?? [],
      refinement: RefinementMethod(refinement),
      relativeFocalLength: try values.decodeIfPresent(Double.self, forKey: .relativeFocalLength))
    calibration.mapUnit = version == 1 ? .metres : .relativeDisparity
    calibration.fit = try values.decodeIfPresent(DepthCalibration.Fit.self, forKey: .fit)
    if let length = calibration.relativeFocalLength, !(length > 0 && length.isFinite) {
      throw decoder.damaged("the relative focal length is \(length), expected a positive number")
    }
    self.calibration = calibration
  }

  /// Encodes the object.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.formatName, forKey: .format)
    try values.encode(calibration.mapUnit == .metres ? 1 : 2, forKey: .version)
    if calibration.mapUnit != .metres { try values.encode("relative-disparity", forKey: .mapUnit) }
    try values.encode(calibration.scale, forKey: .scale)
    try values.encode(calibration.shift, forKey: .shift)
    try values.encodeIfPresent(calibration.weightsIdentifier, forKey: .weightsIdentifier)
    try values.encode(calibration.refinement.rawValue, forKey: .refinement)
    try values.encodeIfPresent(calibration.relativeFocalLength, forKey: .relativeFocalLength)
    try values.encode(calibration.residuals.map(Point.init), forKey: .points)
    try values.encodeIfPresent(calibration.fit, forKey: .fit)
  }
}

/// An object with the keys `x`, `y`, `metres`, `calibrated_m`, and `predicted_m` or, for relative disparity,
/// `predicted_disparity`. The key `left_out` marks a point excluded from the fit. Encoding also writes `error_m`.
private struct Point: Codable {
  let residual: DepthCalibration.Residual

  init(_ residual: DepthCalibration.Residual) { self.residual = residual }

  private enum CodingKeys: String, CodingKey {
    case x, y, metres
    case predictedMetres = "predicted_m"
    case predictedDisparity = "predicted_disparity"
    case calibrated = "calibrated_m"
    case isLeftOut = "left_out"
    case error = "error_m"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let point = DepthCalibration.KnownPoint(
      x: try values.decode(Int.self, forKey: .x), y: try values.decode(Int.self, forKey: .y),
      metres: try values.decode(Double.self, forKey: .metres))
    let metres = try values.decodeIfPresent(Double.self, forKey: .predictedMetres)
    let disparity = try values.decodeIfPresent(Double.self, forKey: .predictedDisparity)
    guard let predicted = disparity ?? metres, predicted.isFinite else {
      throw decoder.damaged(
        "a point has neither predicted_m nor predicted_disparity, expected one of them")
    }
    var residual = DepthCalibration.Residual(
      point: point, predicted: predicted,
      calibrated: try values.decode(Double.self, forKey: .calibrated))
    residual.mapUnit = disparity == nil ? .metres : .relativeDisparity
    residual.isLeftOut = try values.decodeIfPresent(Bool.self, forKey: .isLeftOut) ?? false
    self.residual = residual
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(residual.point.x, forKey: .x)
    try values.encode(residual.point.y, forKey: .y)
    try values.encode(residual.point.metres, forKey: .metres)
    let isRelative = residual.mapUnit == .relativeDisparity
    try values.encode(
      residual.predicted, forKey: isRelative ? .predictedDisparity : .predictedMetres)
    try values.encode(residual.calibrated, forKey: .calibrated)
    if residual.isLeftOut { try values.encode(true, forKey: .isLeftOut) }
    try values.encode(residual.error, forKey: .error)
  }
}

extension Decoder {
  /// An error at this decoder's coding path.
  fileprivate func damaged(_ reason: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
  }
}
