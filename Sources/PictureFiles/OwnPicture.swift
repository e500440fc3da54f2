import DepthBase
package import SystemEssentials

/// Pictures that this program wrote, which are no photos.
package enum OwnPicture {
  /// What is searched: the segments before a JPEG's comment are at most 64 KiB of Exif and a JFIF header.
  private static let searched = 80 << 10

  /// Whether a file is a depth PNG, or a PNG or JPEG that names this program as its software.
  package static func isOwn(_ url: URL) -> Bool {
    InputFile.beginning(of: url, count: searched).map(isOwn) ?? false
  }

  /// The same of the beginning of a file.
  package static func isOwn(_ start: [UInt8]) -> Bool {
    switch FileSignature(of: start) {
    case .png:
      let reader = ByteReader(bytes: start)
      var offset = PNGChunks.signature.count
      while let length = reader.integer(UInt32.self, at: offset),
        !reader.holds("IDAT", at: offset + 4)
      {
        let isText = reader.holds("tEXt", at: offset + 4)
        if isText,
          reader.holds("depth:", at: offset + 8)
            || reader.holds("Software\0swift-depth ", at: offset + 8)
        {
          return true
        }
        offset += 12 + Int(length)
      }
      return false
    case .jpeg:
      var isOwn = false
      // What was read need not reach to the first scan.
      _ = try? JPEGSegments.walk(start, file: "") { marker, body in
        if marker == JPEGMarker.comment, start[body].starts(with: "swift-depth ".utf8) {
          isOwn = true
        }
      }
      return isOwn
    default: return false
    }
  }
}
