public import DepthErrors
import DepthImages
import DepthRefinement

/// The object in a calibration's file: the keys `format`, which is `depth-calibration`, `version`,
/// `scale`, `shift`, and optionally `weights_sha256`, `refinement`, `relative_focal_length`, `points`, a list of
/// ``DepthCalibration/Residual``, and `fit` with the keys `points`, `left_out`, `rms_m` and `median_error_m`.
///
/// The version is 1 for maps in metres. It is 2 for relative disparity, with the key `map_unit`, whose value is `relative-disparity`.
/// Programs that support version 1 only reject version 2.
extension DepthCalibration: Codable {
  private static let formatName = "depth-calibration"

  /// Reads the object that the extension describes. Other keys are ignored, so that files with later additions stay readable.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: SettingsObject.CodingKeys.self)
    let format = try values.decode(String.self, forKey: "format")
    let version = try values.decode(Int.self, forKey: "version")
    guard format == Self.formatName, version == 1 || version == 2 else {
      throw decoder.damaged(
        "is \(format) version \(version), expected \(Self.formatName) version 1 or 2")
    }
    let written = try values.decodeIfPresent(DepthMap.Unit.self, forKey: "map_unit")
    guard version == 1 || written != nil else {
      throw decoder.damaged("is \(format) version \(version) without the key 'map_unit'")
    }
    let unit = written ?? .metres
    guard unit == (version == 1 ? .metres : .relativeDisparity) else {
      throw decoder.damaged(
        "is \(format) version \(version) for maps of another unit, expected metres in version 1 and "
          + "relative-disparity in version 2")
    }
    let scale = try values.decode(Double.self, forKey: "scale")
    let shift = try values.decode(Double.self, forKey: "shift")
    guard scale > 0, scale.isFinite, shift.isFinite else {
      throw decoder.damaged(
        "scale \(scale) and shift \(shift), expected a positive and a finite number")
    }
    // Files without a method were fitted to the network's own maps.
    let name = try values.value("refinement", default: RefinementMethod.Name.none.rawValue)
    guard let refinement = RefinementMethod.Name(rawValue: name) else {
      let names = RefinementMethod.Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw decoder.damaged("the refinement is '\(name)', expected \(names)")
    }
    self.init(
      scale: scale, shift: shift,
      weightsSHA256: try values.decodeIfPresent(String.self, forKey: "weights_sha256"),
      residuals: try values.value("points", default: []), refinement: refinement,
      relativeFocalLength: try values.decodeIfPresent(Double.self, forKey: "relative_focal_length"))
    mapUnit = unit
    fit = try values.decodeIfPresent(Fit.self, forKey: "fit")
    if let relativeFocalLength, !(relativeFocalLength > 0 && relativeFocalLength.isFinite) {
      throw decoder.damaged(
        "the relative focal length is \(relativeFocalLength), expected a positive number")
    }
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: SettingsObject.CodingKeys.self)
    try values.encode(Self.formatName, forKey: "format")
    try values.encode(mapUnit == .metres ? 1 : 2, forKey: "version")
    if mapUnit != .metres { try values.encode(mapUnit, forKey: "map_unit") }
    try values.encode(scale, forKey: "scale")
    try values.encode(shift, forKey: "shift")
    try values.encodeIfPresent(weightsSHA256, forKey: "weights_sha256")
    try values.encode(refinement, forKey: "refinement")
    try values.encodeIfPresent(relativeFocalLength, forKey: "relative_focal_length")
    try values.encode(residuals, forKey: "points")
    try values.encodeIfPresent(fit, forKey: "fit")
  }
}

/// An object with the keys `x`, `y` and `metres`.
extension DepthCalibration.KnownPoint: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    DepthCalibration.KnownPoint(x: 0, y: 0, metres: 0), .required("x", \.x), .required("y", \.y),
    .required("metres", \.metres)
  ) {
    guard DepthCalibration.distances.contains($0.metres) else {
      throw DepthError.invalidDistance(x: $0.x, y: $0.y, metres: $0.metres)
    }
  }
}

/// An object with the keys `points`, `left_out`, `rms_m` and `median_error_m`.
extension DepthCalibration.Fit: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    DepthCalibration.Fit(points: 0, leftOut: 0, rms: 0, medianError: 0),
    .required("points", \.points), .required("left_out", \.leftOut), .required("rms_m", \.rms),
    .required("median_error_m", \.medianError))
}

/// An object with the keys `x`, `y`, `metres`, `calibrated_m`, and `predicted_m` or, for relative disparity, `predicted_disparity`. The
/// key `left_out` marks a point that the fit does not use. Encoding also writes `error_m`.
extension DepthCalibration.Residual: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    DepthCalibration.Residual(
      point: DepthCalibration.KnownPoint(x: 0, y: 0, metres: 0), predicted: .nan, calibrated: 0),
    .required("x", \.point.x), .required("y", \.point.y), .required("metres", \.point.metres),
    .optional("predicted_m", \.predictedMetres),
    .optional("predicted_disparity", \.predictedDisparity),
    .required("calibrated_m", \.calibrated), .optional("left_out", \.leftOut),
    .written("error_m", \.error)
  ) {
    guard $0.predicted.isFinite else {
      throw DepthError(
        .damaged, "a point has neither predicted_m nor predicted_disparity, expected one of them")
    }
  }

  /// A file has one of these two keys.
  private var predictedMetres: Double? {
    get { mapUnit == .relativeDisparity ? nil : predicted }
    set { if let newValue { (predicted, mapUnit) = (newValue, .metres) } }
  }

  private var predictedDisparity: Double? {
    get { mapUnit == .relativeDisparity ? predicted : nil }
    set { if let newValue { (predicted, mapUnit) = (newValue, .relativeDisparity) } }
  }

  private var leftOut: Bool? {
    get { isLeftOut ? true : nil }
    set { isLeftOut = newValue ?? false }
  }
}
