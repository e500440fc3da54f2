import DepthBase
package import DepthImages
package import PictureFiles
package import SystemEssentials

/// A photo, with its depth if that is embedded or in a file.
package struct PhotoWithDepth: Sendable {
  /// The source of a photo's depth.
  package enum Source: Sendable {
    /// Embedded or estimated, as ``DepthChoice`` decides; `metresFor` is the feature that requires metres.
    case chosen(DepthChoice, metresFor: String? = nil)
    /// Embedded, of any proportions: the caller checks them, or stretches the map over the photo.
    case stretched
    /// A depth file, and its unit where it records none.
    case file(URL, StoredUnit?)
  }

  package let image: Image
  /// `nil` when it is to be estimated.
  package let depth: DepthMap?
  /// Why embedded depth was not used, or what is unusual about it; `nil` where there is nothing to say.
  package let note: String?

  package let origin: DepthOrigin

  /// - Parameters:
  ///   - url: The photo, `name` in errors.
  ///   - admit: Reserves memory before the photo is decoded, given whether depth is to be estimated. If embedded depth turns out to be
  ///     unusable, it is called again, and the second need replaces the first.
  /// - Throws: `DepthError`.
  package init(
    contentsOf url: URL, name: String, depth source: Source, limits: ImageLimits,
    admit: (_ file: PhotoFile, _ isEstimate: Bool) throws -> Void
  ) throws {
    let bytes = try InputFile.bytes(of: url) { start, _ in
      try PhotoFile.requirePhoto(start, name: name)
    }
    let file = try PhotoFile(decoding: bytes, name: name, limits: limits)
    switch source {
    case .chosen(let choice, let purpose):
      try self.init(file, choice, metresFor: purpose, limits: limits) { try admit(file, $0) }
    case .stretched:
      try self.init(file, .embedded, metresFor: nil, stretches: true, limits: limits) {
        try admit(file, $0)
      }
    case .file(let url, let unit):
      try admit(file, false)
      let image = try file.decoded()
      let depth = try DepthMap(contentsOf: url, stored: unit, limits: limits)
      try DepthError.naming(name) { try depth.checkAspect(of: image) }
      self.init(image, depth, .file)
    }
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
    image = try file.decoded()
  }

  /// A picture without embedded depth.
  package init(_ image: Image) { self.init(image, nil, .network) }

  private init(_ image: Image, _ depth: DepthMap?, _ origin: DepthOrigin) {
    (self.image, self.depth, self.origin, note) = (image, depth, origin, nil)
  }
}
