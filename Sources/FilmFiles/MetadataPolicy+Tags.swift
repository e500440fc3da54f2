package import PictureFiles

extension MetadataPolicy {
  /// Options of ffmpeg that remove the tags that are not copied.
  ///
  /// - Parameters:
  ///   - tags: The tags of a film or stream.
  ///   - option: The option that sets a tag in the new film.
  func removing(_ tags: [String: String]?, by option: String) -> [String] {
    (tags ?? [:]).keys.filter { !lets(pass: $0) }.sorted().flatMap { [option, "\($0)="] }
  }

  /// Options of ffmpeg that copy Apple's location tag to `location`, the only location tag in MP4 and MOV.
  func keepingLocation(of tags: [String: String]?) -> [String] {
    guard self == .everything, let tags, tags["location"] == nil,
      let place = tags["com.apple.quicktime.location.ISO6709"]
    else { return [] }
    return ["-metadata", "location=\(place)"]
  }

  /// Whether a tag is copied.
  ///
  /// The location has many names: `location`, `location-eng`, `com.apple.quicktime.location.ISO6709`, `RECORDING_LOCATION`.
  ///
  /// - Parameter tag: The tag's name, in any case, possibly with a language as in `copyright-deu`.
  package func lets(pass tag: String) -> Bool {
    let name = tag.lowercased()
    switch self {
    case .everything: return true
    case .withoutLocation:
      return !Self.locationAtoms.contains(name) && !Self.identifying.contains(where: name.contains)
    case .essential: return Self.essentialTags.contains { name == $0 || name.hasPrefix($0 + "-") }
    }
  }

  /// Substrings in names of tags about the location, the owner and serial numbers.
  private static let identifying = [
    "location", "gps", "latitude", "longitude", "altitude", "coordinate", "geotag", "owner",
    "serial",
  ]

  /// Names of MP4 and MOV atoms that contain the location.
  private static let locationAtoms: Set = ["xyz", "©xyz", "loci"]

  private static let essentialTags = ["copyright", "language", "filename", "mimetype"]
}
