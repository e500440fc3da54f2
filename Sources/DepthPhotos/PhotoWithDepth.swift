import DepthBase
package import DepthImages
package import PictureFiles
package import SystemEssentials

/// A photo, and the depth that is embedded in the photo or stored in a depth file, if any.
package struct PhotoWithDepth: Sendable {
  package let image: Image
  /// The depth; `nil` if depth is to be estimated.
  package let depth: DepthMap?
  /// The reason why embedded depth was not used, or a note on unusual properties; `nil` for neither.
  package let note: String?

  package let origin: DepthOrigin
  /// Whether the depth records its unit. Otherwise the user specifies the unit, or metres are assumed.
  package let recordsUnit: Bool

  /// Reads a photo, and embedded depth if selected by `choice`.
  ///
  /// - Parameters:
  ///   - url: The photo's file.
  ///   - purpose: The feature that requires metres, for messages; `nil` if relative depth is enough.
  ///   - stretches: Whether embedded depth may have other proportions. The caller then checks or stretches the map.
  ///   - admit: Reserves memory before the photo is decoded, depending on whether depth is to be estimated. If embedded
  ///     depth is unusable, `admit` is called again, and the second need replaces the first.
  /// - Throws: `DepthError`.
  package init(
    contentsOf url: URL, name: String, _ choice: DepthChoice, metresFor purpose: String? = nil,
    stretches: Bool = false, limits: ImageLimits,
    admit: (_ file: PhotoFile, _ isEstimate: Bool) throws -> Void
  ) throws {
    let file = try Self.file(url, name, limits)
    try self.init(file, choice, metresFor: purpose, stretches: stretches, limits: limits) {
      try admit(file, $0)
    }
  }

  /// Reads a photo and its depth file.
  ///
  /// - Parameters:
  ///   - url: The photo's file.
  ///   - hints: The user's information on the depth file.
  ///   - admit: Reserves memory before the photo is decoded.
  /// - Throws: `DepthError`.
  package init(
    contentsOf url: URL, name: String, depthFile: URL, _ hints: DepthFileHints, limits: ImageLimits,
    admit: (PhotoFile) throws -> Void
  ) throws {
    let file = try Self.file(url, name, limits)
    try admit(file)
    let image = try file.decoded()
    let depth = try GivenDepth(contentsOf: depthFile, hints, limits: limits)
    try DepthError.naming(depthFile.relativePath) { try depth.map.checkAspect(of: image) }
    self.init(image, depth)
  }

  private static func file(_ url: URL, _ name: String, _ limits: ImageLimits) throws -> PhotoFile {
    let bytes = try InputFile.bytes(of: url) { start, _ in
      try PhotoFile.requirePhoto(start, name: name)
    }
    return try PhotoFile(decoding: bytes, name: name, limits: limits)
  }

  /// Reads a photo whose header is already parsed.
  package init(
    _ file: PhotoFile, _ choice: DepthChoice, metresFor purpose: String?, stretches: Bool = false,
    limits: ImageLimits, admit: (_ isEstimate: Bool) throws -> Void
  ) throws {
    switch try choice.depth(
      of: file, metresFor: purpose, stretches: stretches, limits: limits,
      admit: { try admit(false) })
    {
    case .embedded(let map, let why): (depth, origin, note) = (map, .embedded, why)
    case .network(let why):
      (depth, origin, note) = (nil, .network, why)
      try admit(true)
    }
    (image, recordsUnit) = (try file.decoded(), true)
  }

  /// Combines a photo and the map of its depth file.
  package init(_ image: Image, _ given: GivenDepth) {
    (self.image, depth, origin, note) = (image, given.map, .file, nil)
    recordsUnit = given.recordsUnit
  }

  /// A picture without depth.
  package init(_ image: Image) {
    (self.image, depth, origin, note, recordsUnit) = (image, nil, .network, nil, true)
  }
}
