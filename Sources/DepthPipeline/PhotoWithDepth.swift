import DepthBase
package import DepthImages
import DepthPhotos
package import PictureFiles
package import SystemEssentials

/// A photo and, where it or a file has one, its depth.
package struct PhotoWithDepth: Sendable {
  /// Where the depth comes from.
  package enum Source: Sendable {
    /// The depth is estimated.
    case none
    /// The depth is stored inside the photo.
    case embedded
    /// A depth file, and its unit where it records none.
    case file(URL, StoredUnit?)
  }

  package let image: Image
  /// `nil` when it is to be estimated.
  package let depth: DepthMap?

  /// - Parameters:
  ///   - url: The photo, `name` in errors.
  ///   - requireMemory: Called with the photo's header before anything is decoded.
  /// - Throws: `DepthError`; ``InputFailure`` for a photo that should have depth inside and has none.
  package init(
    contentsOf url: URL, name: String, depth source: Source, limits: ImageLimits,
    requireMemory: (PhotoFile) throws -> Void
  ) throws {
    let bytes = try InputFile.bytes(of: url) { start, _ in
      try PhotoFile.requirePhoto(start, name: name)
    }
    let file = try PhotoFile(decoding: bytes, name: name, limits: limits)
    try requireMemory(file)
    image = try file.decoded()
    depth = try source.depth(
      inside: { try DepthPhoto.depth(decoding: bytes, name: name) }, limits: limits)
  }
}

extension PhotoWithDepth.Source {
  fileprivate func depth(
    inside embedded: () throws -> DepthMap, limits: ImageLimits
  ) throws -> DepthMap? {
    switch self {
    case .none: nil
    case .embedded: try embedded()
    case .file(let url, let unit):
      try DepthMap(contentsOf: url, unit: unit?.unit, scale: unit?.scale, limits: limits)
    }
  }
}
