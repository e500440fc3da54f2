package import DepthBase
package import DepthImages
package import PictureFiles
package import SystemEssentials

/// A photo, with its depth if that is embedded or in a file.
package struct PhotoWithDepth: Sendable {
  /// The source of a photo's depth.
  package enum Source: Sendable {
    /// Embedded or estimated, as ``DepthChoice`` decides; `metresFor` is the feature that requires metres.
    case chosen(DepthChoice, metresFor: String? = nil)
    /// A depth file, and its unit where it records none.
    case file(URL, StoredUnit?)
  }

  package let image: Image
  /// `nil` when it is to be estimated.
  package let depth: DepthMap?
  /// Why embedded depth was not used; `nil` if it was, or if there is none.
  package let reason: String?

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
    case .file(let url, let unit):
      try admit(file, false)
      let image = try file.decoded()
      let depth = try DepthMap(
        contentsOf: url, unit: unit?.unit, scale: unit?.scale, limits: limits)
      self.init(image, depth, .file)
    }
  }

  /// Reads a photo whose header is parsed already.
  package init(
    _ file: PhotoFile, _ choice: DepthChoice, metresFor purpose: String?, limits: ImageLimits,
    admit: (_ isEstimate: Bool) throws -> Void
  ) throws {
    switch try choice.depth(
      of: file, metresFor: purpose, limits: limits, admit: { try admit(false) })
    {
    case .embedded(let map): (depth, origin, reason) = (map, .embedded, nil)
    case .network(let why):
      (depth, origin, reason) = (nil, .network, why)
      try admit(true)
    }
    image = try file.decoded()
  }

  /// A picture without embedded depth.
  package init(_ image: Image) { self.init(image, nil, .network) }

  private init(_ image: Image, _ depth: DepthMap?, _ origin: DepthOrigin) {
    (self.image, self.depth, self.origin, reason) = (image, depth, origin, nil)
  }
}

extension MemoryNeed {
  /// Memory for a photo whose depth is not estimated.
  ///
  /// - Parameter pixels: Pixels of what is made of it, where these may be more than those of the photo.
  package init(_ work: Work, of file: PhotoFile, pixels: Int = 0) {
    self.init(
      work, pixels: max(file.width * file.height, pixels),
      decodingBytesPerPixel: file.decodingBytesPerPixel)
  }
}
