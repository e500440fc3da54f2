import DepthErrors
import DepthRefinement

/// The object in a calibration's file: the keys `format`, which is `depth-calibration`, `version`, which is 1,
/// `scale`, `shift`, and optionally `weights_sha256`, `refinement`, `relative_focal_length` and `points`, a list of
/// ``DepthCalibration/Residual``.
extension DepthCalibration: Codable {
  private static let formatName = "depth-calibration"

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case format, version, scale, shift
    case weightsSHA256 = "weights_sha256"
    case relativeFocalLength = "relative_focal_length"
    case refinement, points
  }

  /// Other keys are ignored, so that files of later versions stay readable.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let (format, version) = (
      try values.decode(String.self, forKey: .format), try values.decode(Int.self, forKey: .version)
    )
    guard format == Self.formatName, version == 1 else {
      throw decoder.damaged(
        "says \(format) version \(version), expected \(Self.formatName) version 1")
    }
    let (scale, shift) = (
      try values.decode(Double.self, forKey: .scale), try values.decode(Double.self, forKey: .shift)
    )
    guard scale > 0, scale.isFinite, shift.isFinite else {
      throw decoder.damaged(
        "scale \(scale) and shift \(shift), expected a positive and a finite number")
    }
    // Files without a method were fitted to the network's own maps.
    let name = try values.value(.refinement, default: RefinementMethod.Name.none.rawValue)
    guard let refinement = RefinementMethod.Name(rawValue: name) else {
      let names = RefinementMethod.Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw decoder.damaged("the refinement is '\(name)', expected \(names)")
    }
    self.init(
      scale: scale, shift: shift,
      weightsSHA256: try values.decodeIfPresent(String.self, forKey: .weightsSHA256),
      residuals: try values.value(.points, default: []), refinement: refinement,
      relativeFocalLength: try values.decodeIfPresent(Double.self, forKey: .relativeFocalLength))
    if let relativeFocalLength, !(relativeFocalLength > 0 && relativeFocalLength.isFinite) {
      throw decoder.damaged(
        "the relative focal length is \(relativeFocalLength), expected a positive number")
    }
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.formatName, forKey: .format)
    try values.encode(1, forKey: .version)
    try values.encode(scale, forKey: .scale)
    try values.encode(shift, forKey: .shift)
    try values.encodeIfPresent(weightsSHA256, forKey: .weightsSHA256)
    try values.encode(refinement, forKey: .refinement)
    try values.encodeIfPresent(relativeFocalLength, forKey: .relativeFocalLength)
    try values.encode(residuals, forKey: .points)
  }
}

/// An object with the keys `x`, `y` and `metres`.
extension DepthCalibration.KnownPoint: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case x, y, metres }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    self.init(
      x: try values.decode(Int.self, forKey: .x), y: try values.decode(Int.self, forKey: .y),
      metres: try values.decode(Double.self, forKey: .metres))
    let point = self
    try decoder.checking {
      guard DepthCalibration.distances.contains(point.metres) else {
        throw DepthError.invalidDistance(x: point.x, y: point.y, metres: point.metres)
      }
    }
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(x, forKey: .x)
    try values.encode(y, forKey: .y)
    try values.encode(metres, forKey: .metres)
  }
}

/// An object with the keys `x`, `y`, `metres`, `predicted_m` and `calibrated_m`; it is written with `error_m` too.
extension DepthCalibration.Residual: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case x, y, metres
    case predicted = "predicted_m"
    case calibrated = "calibrated_m"
    case error = "error_m"
  }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    self.init(
      point: DepthCalibration.KnownPoint(
        x: try values.decode(Int.self, forKey: .x), y: try values.decode(Int.self, forKey: .y),
        metres: try values.decode(Double.self, forKey: .metres)),
      predicted: try values.decode(Double.self, forKey: .predicted),
      calibrated: try values.decode(Double.self, forKey: .calibrated))
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(point.x, forKey: .x)
    try values.encode(point.y, forKey: .y)
    try values.encode(point.metres, forKey: .metres)
    try values.encode(predicted, forKey: .predicted)
    try values.encode(calibrated, forKey: .calibrated)
    try values.encode(error, forKey: .error)
  }
}
