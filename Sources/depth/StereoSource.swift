import AtomicFiles
import DepthImages
import DepthPhotos
import PictureFiles
import SystemEssentials

#if HEIF
  import HEIFPhotos
#endif

/// A photo and, where it or a file has one, its depth.
struct StereoSource {
  /// The extensions of the photos that are read, in lower case.
  static var extensions: Set<String> {
    #if HEIF
      BatchOptions.photoExtensions.union(["heic", "heif"])
    #else
      BatchOptions.photoExtensions
    #endif
  }

  let image: Image
  /// `nil` when it is to be estimated.
  let depth: DepthMap?

  /// Reads a photo of a run, and its depth from where the run's depth comes from.
  ///
  /// - Parameter requireMemory: Called with the photo's header before anything is decoded.
  init(
    of photo: PhotoInput, depth: DepthSource, unit: DepthUnitOptions, limits: ImageLimits,
    requireMemory: (PhotoFile) throws -> Void
  ) throws {
    let name = if case .embedded = depth { "embedded" } else { try depth.file(of: photo) }
    try self.init(
      contentsOf: photo.url, name: photo.path, depth: name, unit: unit, limits: limits,
      requireMemory: requireMemory)
  }

  /// - Parameters:
  ///   - url: The photo, `name` in errors.
  ///   - depth: A file's path, `embedded`, or `nil`.
  ///   - requireMemory: Called with the photo's header before anything is decoded.
  init(
    contentsOf url: URL, name: String, depth: String?, unit: DepthUnitOptions, limits: ImageLimits,
    requireMemory: (PhotoFile) throws -> Void
  ) throws {
    let bytes = try InputFile.bytes(of: url) { start, _ in
      if !Self.isHEIF(start) { try PhotoFile.requirePhoto(start, name: name) }
    }
    #if HEIF
      if Self.isHEIF(bytes) {
        let photo = try HEIFPhoto(decoding: bytes, name: name)
        image = photo.image
        guard depth == "embedded" else {
          self.depth = try Self.file(depth, unit: unit, limits: limits)
          return
        }
        guard let map = photo.depth else {
          throw InputFailure(
            file: name, reason: "holds no depth, expected an auxiliary depth image")
        }
        self.depth = map
        return
      }
    #endif
    let file = try PhotoFile(decoding: bytes, name: name, limits: limits)
    try requireMemory(file)
    image = try file.image()
    self.depth =
      depth == "embedded"
      ? try DepthPhoto.depth(decoding: bytes, name: name)
      : try Self.file(depth, unit: unit, limits: limits)
  }

  /// Every file of the family begins with a box of this type; what else it may be, it is no JPEG.
  private static func isHEIF(_ bytes: [UInt8]) -> Bool {
    bytes.count > 8 && bytes[4..<8].elementsEqual("ftyp".utf8)
  }

  private static func file(
    _ path: String?, unit: DepthUnitOptions, limits: ImageLimits
  ) throws -> DepthMap? {
    try path.map { try unit.map(contentsOf: URL(filePath: $0), limits: limits) }
  }
}
