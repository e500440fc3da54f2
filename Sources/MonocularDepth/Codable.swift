import DepthErrors
import DepthImages
import DepthRefinement
import SystemEssentials

// Keys are part of the interface: they are documented here, and never change their meaning.

/// The text `exif`, `given` or `assumed`.
extension PhotoCamera.Source: Codable {}

/// An object with the keys `camera`, a `Camera`, `source`, and `is_exact`, which is `true` or missing.
extension PhotoCamera: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case camera, source
    case isExact = "is_exact"
  }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    camera = try values.decode(Camera.self, forKey: .camera)
    source = try values.decode(Source.self, forKey: .source)
    isExact = try values.value(.isExact, default: false)
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(camera, forKey: .camera)
    try values.encode(source, forKey: .source)
    if isExact { try values.encode(true, forKey: .isExact) }
  }
}

/// An object with the keys `files`, a list of paths, and `averages_mirrored`, which may be missing.
extension WeightsSelection: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case files
    case averagesMirrored = "averages_mirrored"
  }

  /// Reads the object that the extension describes; a key of another name is an error.
  ///
  /// - Throws: `DecodingError`, also for values out of range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.settings(CodingKeys.self)
    let files = try values.decode([String].self, forKey: .files)
    try decoder.checking {
      try files.count.checked(in: 1...16, "the number of weights files", "1 to 16")
    }
    self.init(
      files: files.map { URL(filePath: $0) },
      averagesMirrored: try values.value(.averagesMirrored, default: false))
  }

  /// Writes the object that the extension describes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(files.map { $0.path(percentEncoded: false) }, forKey: .files)
    try values.encode(averagesMirrored, forKey: .averagesMirrored)
  }
}
