/// The kind of a file, determined by its first bytes and never by its name.
package enum FileSignature: Equatable {
  case jpeg, png, heic, avif, webp, pfm, npy, npz, exr
  /// Another kind, in words: "a GIF picture", "text".
  case other(String)

  static let film = FileSignature.other("a video or another ISO media file")

  package init(of bytes: [UInt8]) {
    if ByteReader(bytes: bytes).holds("CgBI", at: 12), bytes.starts(with: PNGChunks.signature) {
      self = .other("a CgBI PNG (Apple's variant for apps)")
    } else if let known = Self.signatures.first(where: { bytes.starts(with: $0.prefix) }) {
      self = known.signature
    } else if Self.isPFM(bytes) {
      self = .pfm
    } else if let boxed = Self.boxed(bytes) {
      self = boxed
    } else {
      self = .other(Self.described(bytes))
    }
  }

  /// The kind in an error's text.
  package var description: String {
    switch self {
    case .jpeg: "a JPEG picture"
    case .png: "a PNG picture"
    case .heic: "a HEIC picture"
    case .avif: "an AVIF picture"
    case .webp: "a WebP picture"
    case .pfm: "a PFM float map"
    case .npy: "a NumPy array"
    case .npz: "a ZIP archive"
    case .exr: "an OpenEXR picture"
    case .other(let words): words
    }
  }

  /// Advice on converting a photo to a readable format; empty for other content.
  package var remedy: String {
    switch self {
    case .other("a Canon CR3 raw picture"):
      "; develop it, as with 'darktable-cli FILE photo.jpg', or take the JPEG that the camera wrote"
    case .other(let words) where words.hasSuffix(" picture"):
      "; convert it, as with 'magick FILE photo.png'"
    case .other(let words) where words.hasPrefix("a CgBI PNG"):
      "; convert it on a Mac, as with 'sips -s format png FILE --out photo.png'"
    case .other("a Git LFS pointer"): "; download the file with 'git lfs pull'"
    default: ""
    }
  }

  private static let signatures: [(prefix: [UInt8], signature: FileSignature)] = [
    ([0xFF, 0xD8, 0xFF], .jpeg),
    (PNGChunks.signature, .png),
    (Array("\u{93}NUMPY".unicodeScalars.map { UInt8($0.value) }), .npy),
    (Array("GIF8".utf8), .other("a GIF picture")),
    (Array("II*\0".utf8), .other("a TIFF picture")),
    (Array("MM\0*".utf8), .other("a TIFF picture")),
    (Array("%PDF".utf8), .other("a PDF document")),
    (Array("PK\u{3}\u{4}".utf8), .npz),
    ([0x1F, 0x8B], .other("gzip data")),
    ([0x89] + Array("HDF".utf8), .other("an HDF5 file")),
    (EXR.signature, .exr),
    ([0xFF, 0x0A], .other("a JPEG XL picture")),
    (Array("8BPS".utf8), .other("a Photoshop picture")),
    ([0, 0, 0, 12] + Array("jP  ".utf8), .other("a JPEG 2000 picture")),
    ([0xFF, 0x4F, 0xFF, 0x51], .other("a JPEG 2000 picture")),
    (Array("#?RADIANCE".utf8), .other("a Radiance HDR picture")),
    (Array("#?RGBE".utf8), .other("a Radiance HDR picture")),
    (Array("qoif".utf8), .other("a QOI picture")),
    ([0, 0, 1, 0], .other("an ICO picture")),
  ]

  /// Returns whether a PFM file begins here: two letters, white space and a digit. The letters
  /// alone could begin any text.
  private static func isPFM(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(16)
    guard start.starts(with: "Pf".utf8) || start.starts(with: "PF".utf8) else { return false }
    let rest = start.dropFirst(2)
    guard let space = rest.first else { return true }
    let next = rest.first { !PFM.isSpace($0) }
    return PFM.isSpace(space) && (next.map { (0x30...0x39).contains($0) } ?? true)
  }

  /// Kind of a format whose signature does not begin at the first byte.
  private static func boxed(_ bytes: [UInt8]) -> FileSignature? {
    let reader = ByteReader(bytes: bytes)
    if reader.holds("BM", at: 0), reader.integer(UInt32.self, at: 6) == 0 {
      return .other("a BMP picture")
    }
    if reader.holds("RIFF", at: 0), reader.holds("WEBP", at: 8) { return .webp }
    if let netpbm = netpbm(bytes) { return .other(netpbm) }
    if reader.holds("JXL ", at: 4) { return .other("a JPEG XL picture") }
    guard reader.holds("ftyp", at: 4) else { return nil }
    // In a file with a box `mini`, the kind of picture replaces the version.
    if reader.holds("mif3", at: 8) { return reader.holds("avif", at: 12) ? .avif : .heic }
    // The compatible brands follow the major brand and its version.
    let end = min(bytes.count, reader.integer(UInt32.self, at: 0).map(Int.init) ?? 0, 256)
    let brands = [8] + stride(from: 16, to: max(16, end - 3), by: 4)
    func names(_ brand: StaticString) -> Bool {
      brands.contains { reader.holds(brand, at: $0) }
    }
    if names("avif") || names("avis") { return .avif }
    if reader.holds("crx ", at: 8) { return .other("a Canon CR3 raw picture") }
    return names("hei") || names("mif1") || names("msf1") ? .heic : .film
  }

  /// Portable any-maps: `P` and a digit, then white space and a number or a comment.
  ///
  /// > Source: Netpbm, `pbm(5)`, `pgm(5)`, `ppm(5)`, `pam(5)`.
  private static func netpbm(_ bytes: [UInt8]) -> String? {
    guard bytes.count > 2, bytes[0] == UInt8(ascii: "P"), PFM.isSpace(bytes[2]),
      let next = bytes.dropFirst(3).first(where: { !PFM.isSpace($0) })
    else { return nil }
    let isNumber = (0x30...0x39).contains(next) || next == UInt8(ascii: "#")
    return switch bytes[1] {
    case UInt8(ascii: "1"), UInt8(ascii: "4"): isNumber ? "a PBM picture" : nil
    case UInt8(ascii: "2"), UInt8(ascii: "5"): isNumber ? "a PGM picture" : nil
    case UInt8(ascii: "3"), UInt8(ascii: "6"): isNumber ? "a PPM picture" : nil
    case UInt8(ascii: "7"): isNumber || next == UInt8(ascii: "W") ? "a PAM picture" : nil
    default: nil
    }
  }

  private static func described(_ bytes: [UInt8]) -> String {
    guard !bytes.isEmpty else { return "nothing (the file is empty)" }
    let start = bytes.prefix(512)
    if start.allSatisfy({ $0 == 0 }) { return "zeros" }
    let isText = start.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
    guard isText else { return "bytes of an unknown format" }
    let text = String(decoding: start, as: UTF8.self).lowercased()
    if text.hasPrefix("version https://git-lfs.github.com/") { return "a Git LFS pointer" }
    let isMarkup = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" } == "<"
    let isPage = ["<!doctype html", "<html", "<head>"].contains(where: text.contains)
    return isMarkup && isPage ? "an HTML page" : "text"
  }
}
