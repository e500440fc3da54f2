import DepthImages
import DepthPhotos
import PictureFiles
import DepthEstimation

#if HEIF
  import HEIFCoding
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A photo and, where it or a file has one, its depth.
struct StereoSource {
  let image: Image
  /// `nil` when it is to be estimated.
  let depth: DepthMap?

  /// - Parameter depth: A file's path, `embedded`, or `nil`.
  init(_ bytes: [UInt8], name: String, depth: String?, unit: DepthUnit?) throws {
    #if HEIF
      // Every file of the family begins with a box of this type; what else it may be, it is no JPEG.
      if bytes.count > 8, bytes[4..<8].elementsEqual("ftyp".utf8) {
        let photo = try HEIFPhoto(decoding: bytes, name: name)
        image = photo.image
        guard depth == "embedded" else {
          self.depth = try Self.file(depth, unit: unit)
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
    image = try Image(decoding: bytes, name: name)
    self.depth =
      depth == "embedded"
      ? try DepthPhoto.depth(decoding: bytes, name: name) : try Self.file(depth, unit: unit)
  }

  private static func file(_ path: String?, unit: DepthUnit?) throws -> DepthMap? {
    try path.map { try DepthMap(contentsOf: URL(filePath: $0), unit: unit) }
  }
}
