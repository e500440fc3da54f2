public import DepthErrors
import DepthImages
import DepthRefinement
import SystemEssentials

// Keys are part of the interface: they are documented here, and never change their meaning.

/// The text `exif`, `given` or `assumed`.
extension PhotoCamera.Source: Codable {}

/// An object with the keys `camera`, a `Camera`, `source`, and `is_exact`, which is `true` or missing.
extension PhotoCamera: Codable {
  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(["camera", "source", "is_exact"])
    camera = try values.decode(Camera.self, forKey: "camera")
    source = try values.decode(Source.self, forKey: "source")
    isExact = try values.value("is_exact", default: false)
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: SettingsObject.CodingKeys.self)
    try values.encode(camera, forKey: "camera")
    try values.encode(source, forKey: "source")
    if isExact { try values.encode(true, forKey: "is_exact") }
  }
}

/// An object with the keys `files`, a list of paths, and `averages_mirrored`, which may be missing.
extension WeightsSelection: Codable, SettingsCodable {
  package static let settings = SettingsTable(
    WeightsSelection(files: []), .required("files", \.paths),
    .defaulted("averages_mirrored", \.averagesMirrored)
  ) { try $0.files.count.checked(in: 1...16, "the number of weights files", "1 to 16") }

  private var paths: [String] {
    get { files.map { $0.path(percentEncoded: false) } }
    set { files = newValue.map { URL(filePath: $0) } }
  }
}
