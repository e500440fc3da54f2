public import DepthErrors
import DepthRefinement

/// The object in a calibration's file: the keys `format`, which is `depth-calibration`, `version`, which is 1,
/// `scale`, `shift`, and optionally `weights_sha256`, `refinement`, `relative_focal_length` and `points`, a list of
/// ``DepthCalibration/Residual``.
extension DepthCalibration: Codable {
  private static let formatName = "depth-calibration"

  /// Other keys are ignored, so that files of later versions stay readable.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: SettingsObject.CodingKeys.self)
    let format = try values.decode(String.self, forKey: "format")
    let version = try values.decode(Int.self, forKey: "version")
    guard format == Self.formatName, version == 1 else {
      throw decoder.damaged(
        "says \(format) version \(version), expected \(Self.formatName) version 1")
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
    if let relativeFocalLength, !(relativeFocalLength > 0 && relativeFocalLength.isFinite) {
      throw decoder.damaged(
        "the relative focal length is \(relativeFocalLength), expected a positive number")
    }
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: SettingsObject.CodingKeys.self)
    try values.encode(Self.formatName, forKey: "format")
    try values.encode(1, forKey: "version")
    try values.encode(scale, forKey: "scale")
    try values.encode(shift, forKey: "shift")
    try values.encodeIfPresent(weightsSHA256, forKey: "weights_sha256")
    try values.encode(refinement, forKey: "refinement")
    try values.encodeIfPresent(relativeFocalLength, forKey: "relative_focal_length")
    try values.encode(residuals, forKey: "points")
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

/// An object with the keys `x`, `y`, `metres`, `predicted_m` and `calibrated_m`; it is written with `error_m` too.
extension DepthCalibration.Residual: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    DepthCalibration.Residual(
      point: DepthCalibration.KnownPoint(x: 0, y: 0, metres: 0), predicted: 0, calibrated: 0),
    .required("x", \.point.x), .required("y", \.point.y), .required("metres", \.point.metres),
    .required("predicted_m", \.predicted), .required("calibrated_m", \.calibrated),
    .written("error_m", \.error))
}
