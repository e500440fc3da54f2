public import DepthErrors
import DepthImages
import DepthRefinement
import SystemEssentials

// Keys are part of the interface: they are documented here, and never change their meaning.

/// The text `exif`, `given` or `assumed`.
extension PhotoCamera.Source: Codable {}

/// An object with the keys `camera` (a `Camera`), `source`, `is_exact` (`true` or missing) and `training_focal_length`. The last key is
/// in units of the longer side; it is missing for networks that were trained with the Kinect's camera.
extension PhotoCamera: Codable {
  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings([
      "camera", "source", "is_exact", "training_focal_length",
    ])
    camera = try values.decode(Camera.self, forKey: "camera")
    source = try values.decode(Source.self, forKey: "source")
    isExact = try values.value("is_exact", default: false)
    training =
      try values.decodeIfPresent(Double.self, forKey: "training_focal_length")
      .map { length in
        try decoder.checking {
          try length.checked(in: 0.02...250, "the training camera's focal length", "0.02 to 250")
        }
        return .sides(length)
      } ?? .kinect
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: SettingsObject.CodingKeys.self)
    try values.encode(camera, forKey: "camera")
    try values.encode(source, forKey: "source")
    if isExact { try values.encode(true, forKey: "is_exact") }
    if case .sides(let length) = training {
      try values.encode(length, forKey: "training_focal_length")
    }
  }
}

/// An object with the key `files`, a list of paths, and the optional keys `averages_mirrored` and `input_size`.
extension WeightsSelection: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    WeightsSelection(files: []), .required("files", \.paths),
    .defaulted("averages_mirrored", \.averagesMirrored), .optional("input_size", \.inputSize)
  ) {
    try $0.files.count.checked(
      in: WeightsSelection.counts, "the number of weights files", "1 to 16")
  }

  private var paths: [String] {
    get { files.map { $0.path(percentEncoded: false) } }
    set { files = newValue.map { URL(filePath: $0) } }
  }
}
