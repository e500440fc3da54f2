import DepthBase
package import SystemEssentials

/// Recognizes pictures that this program has written, which are not photos.
package enum OwnPicture {
  /// Bytes to search: at most 64 KiB of Exif and a JFIF header precede a JPEG's comment.
  private static let searched = 80 << 10
  /// The beginning of this program's name and version.
  private static let program = "swift-depth "

  /// Returns whether a file is a depth PNG, or a PNG or JPEG whose metadata name this program as
  /// the software.
  package static func isOwn(_ url: URL) -> Bool {
    InputFile.beginning(of: url, count: searched).map(isOwn) ?? false
  }

  /// Returns whether these bytes begin a picture by this program.
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
      // The bytes may end before the first scan.
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
