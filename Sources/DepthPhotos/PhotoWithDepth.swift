import DepthBase
package import DepthImages
package import PictureFiles
package import SystemEssentials

/// A photo, with its depth if that is embedded or in a file.
package struct PhotoWithDepth: Sendable {
  package let image: Image
  /// `nil` when it is to be estimated.
  package let depth: DepthMap?
  /// Why embedded depth was not used, or what is unusual about it; `nil` where there is nothing to say.
  package let note: String?

  package let origin: DepthOrigin
  /// Whether the depth states its own unit; otherwise the user does, or it is assumed to be metres.
  package let recordsUnit: Bool

  /// Reads a photo, and its embedded depth where `choice` decides for that.
  ///
  /// - Parameters:
  ///   - url: The photo, `name` in errors.
  ///   - purpose: The feature that requires metres, for messages; `nil` if relative depth is enough.
  ///   - stretches: Whether embedded depth may have any proportions: the caller checks them, or stretches the map over the photo.
  ///   - admit: Reserves memory before the photo is decoded, given whether depth is to be estimated. If embedded depth turns out to be
  ///     unusable, it is called again, and the second need replaces the first.
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
  ///   - url: The photo, `name` in errors.
  ///   - hints: What is known of the depth file.
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
    try DepthError.naming(name) { try depth.map.checkAspect(of: image) }
    self.init(image, depth)
  }

  private static func file(_ url: URL, _ name: String, _ limits: ImageLimits) throws -> PhotoFile {
    let bytes = try InputFile.bytes(of: url) { start, _ in
      try PhotoFile.requirePhoto(start, name: name)
    }
    return try PhotoFile(decoding: bytes, name: name, limits: limits)
  }

  /// Reads a photo whose header is parsed already.
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

  /// A photo and the map of its depth file.
  package init(_ image: Image, _ given: GivenDepth) {
    (self.image, depth, origin, note) = (image, given.map, .file, nil)
    recordsUnit = given.recordsUnit
  }

  /// A picture without depth.
  package init(_ image: Image) {
    (self.image, depth, origin, note, recordsUnit) = (image, nil, .network, nil, true)
  }
}
