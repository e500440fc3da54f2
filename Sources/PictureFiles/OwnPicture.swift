import DepthBase
package import SystemEssentials

/// Pictures that this program wrote, which are no photos.
package enum OwnPicture {
  /// The bytes that are searched: the segments before a JPEG's comment are at most 64 KiB of Exif and a JFIF header.
  private static let searched = 80 << 10
  /// How the name and version of this program begin.
  private static let program = "swift-depth "

  /// Whether a file is a depth PNG, or a PNG or JPEG that names this program as its software.
  package static func isOwn(_ url: URL) -> Bool {
    InputFile.beginning(of: url, count: searched).map(isOwn) ?? false
  }

  /// The same of the beginning of a file.
  package static func isOwn(_ start: [UInt8]) -> Bool {
    switch FileSignature(of: start) {
    case .png:
      var offset = PNGChunks.signature.count
      while let chunk = PNGChunks.chunk(of: start, at: offset), chunk.type != "IDAT" {
        if chunk.type == "tEXt", let (keyword, text) = PNGChunks.text(in: start[chunk.data]),
          keyword.hasPrefix("depth:")
            || keyword == DepthFileMetadata.Keyword.software && text.hasPrefix(program)
        {
          return true
        }
        offset = chunk.end
      }
      return false
    case .jpeg:
      var isOwn = false
      // What was read need not reach to the first scan.
      _ = try? JPEGSegments.walk(start, file: "") { marker, body in
        if marker == JPEGMarker.comment, start[body].starts(with: program.utf8) {
          isOwn = true
        }
      }
      return isOwn
    default: return false
    }
  }
}
