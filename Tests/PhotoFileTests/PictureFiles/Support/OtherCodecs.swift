import CDepthBase
import DepthErrors
import Foundation
import _TestSupport

@testable import DepthImages
@testable import PictureFiles

/// HEIC and AVIF photos of libheif's `heif-enc`, which writes alpha as cameras write depth.
enum HEIFFixture {
  /// Whether this machine can write and read such photos.
  static let isAvailable =
    cdc_load_heif()
    && ["/usr/bin/heif-enc", "/usr/local/bin/heif-enc"]
      .contains(where: FileManager.default.isExecutableFile)

  /// The depth value of a pixel of ``portrait()``.
  static func number(_ index: Int) -> UInt8 { UInt8(40 + index % 64 * 2 + index / 64) }

  /// A photo of 64×48 pixels with a depth or alpha picture of the same values.
  static func portrait(isTransparent: Bool = false) throws -> [UInt8] {
    // A PNG with alpha from the usual chunks.
    var rows: [UInt8] = []
    for y in 0..<48 {
      rows.append(0)
      for x in 0..<64 { rows += [UInt8(x * 3), UInt8(y * 4), 90, number(y * 64 + x)] }
    }
    let header: [UInt8] = [0, 0, 0, 64, 0, 0, 0, 48, 8, 6, 0, 0, 0]
    let png =
      PNGChunks.signature + PNGChunks.chunk("IHDR", header)
      + PNGChunks.chunk("IDAT", stored(rows)) + PNGChunks.chunk("IEND", [])
    var bytes = try encoded(png, from: "in.png", to: "out.heic")
    if isTransparent { return bytes }
    for (alpha, depth) in [
      ("urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:hevc:2015:auxid:2"),
      ("cicp:systems:auxiliary:alpha", "cicp:systems:auxiliary:depth"),
    ] {
      let wanted = Array(alpha.utf8)
      for at in 0..<bytes.count - wanted.count
      where bytes[at..<at + wanted.count].elementsEqual(wanted) {
        bytes.replaceSubrange(at..<at + wanted.count, with: depth.utf8)
      }
    }
    return bytes
  }

  /// Converts a picture file with high quality. The new name states the format.
  static func encoded(
    _ bytes: [UInt8], from source: String, to target: String, _ options: [String] = []
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    _ = try folder.write(bytes, to: source)
    _ = try ExternalProgram.run(
      "heif-enc", ["-q", "100", "-o", target] + options + [source], in: folder.path)
    return try TemporaryFolder.bytes(of: folder.path(target))
  }

  /// A file whose primary picture has only these code points.
  static func coded(
    _ bytes: [UInt8], primaries: UInt8, transfer: UInt8, isFullRange: Bool = true
  ) throws -> [UInt8] {
    var bytes = bytes
    while let old = bytes.firstRange(of: Array("colrnclx".utf8)) {
      bytes.replaceSubrange(old.prefix(4), with: "free".utf8)
    }
    let codes: [UInt8] = [0, primaries, 0, transfer, 0, 6, isFullRange ? 0x80 : 0]
    return try adding(box("colr", Array("nclx".utf8) + codes), to: bytes)
  }

  /// A file whose primary picture has this property as the last property.
  static func adding(_ property: [UInt8], to bytes: [UInt8]) throws -> [UInt8] {
    let boxes = ISOBoxes(bytes)
    guard let meta = boxes.first("meta", in: 0..<bytes.count)?.dropFirst(4),
      let primary = boxes.first("pitm", in: meta).flatMap(boxes.primaryItem)
    else { throw DepthError.damaged(file: "", format: "HEIC", reason: "has no primary picture") }
    var number: UInt8 = 0
    return changed(bytes) { type, content in
      if type == "ipco" {
        number = UInt8(Array(ISOBoxes(content).all(in: 0..<content.count)).count) + 1
        return content + property
      }
      guard type == "ipma" else { return content }
      var content = content
      // After the version and the number of items, each item has the number of properties and their
      // numbers.
      var place = 8
      while place < content.count, content[place + 1] != primary {
        place += 3 + Int(content[place + 2])
      }
      content[place + 2] += 1
      content.insert(0x80 | number, at: place + 2 + Int(content[place + 2]))
      return content
    }
  }

  /// A deflate stream without compression.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    let count = UInt16(bytes.count)
    let sum = b << 16 | a
    return [
      0x78, 1, 1, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8),
    ] + bytes + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
  }

  /// A box of an ISO media file.
  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let length = UInt32(content.count + 8).bigEndian
    return withUnsafeBytes(of: length, Array.init) + Array(type.utf8) + content
  }

  /// The boxes of a file without pixels. The primary picture has these properties.
  ///
  /// - Parameters:
  ///   - type: The type of the item.
  ///   - more: Boxes after the properties.
  static func boxes(
    _ properties: [[UInt8]], brand: String = "heic", type: String = "hvc1", more: [UInt8] = []
  ) -> [UInt8] {
    let entries = properties.indices.map { UInt8($0 + 1) | 0x80 }
    return box("ftyp", Array("\(brand)\0\0\0\0mif1".utf8))
      + box(
        "meta",
        [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, 7])
          + box("iinf", [0, 0, 0, 0, 0, 1] + item(7, type))
          + box(
            "iprp",
            box("ipco", properties.flatMap { $0 })
              + box(
                "ipma",
                [0, 0, 0, 0, 0, 0, 0, 2, 0, 3, 1, 0x81, 0, 7, UInt8(entries.count)] + entries))
          + more)
  }

  /// A file whose changed `meta` box replaces the original box and is at the end.
  ///
  /// - Parameter change: Returns the new content for a box's type and content inside `meta` or
  ///   `iprp`.
  static func changed(_ bytes: [UInt8], _ change: (String, [UInt8]) -> [UInt8]) -> [UInt8] {
    let boxes = ISOBoxes(bytes)
    guard let meta = boxes.first("meta", in: 0..<bytes.count) else { return bytes }
    func copies(_ range: Range<Int>) -> [UInt8] {
      boxes.all(in: range).flatMap { found -> [UInt8] in
        let type = String(decoding: bytes[found.type..<found.type + 4], as: UTF8.self)
        let content = type == "iprp" ? copies(found.content) : Array(bytes[found.content])
        return box(type, change(type, content))
      }
    }
    var result = bytes
    result.replaceSubrange(meta.lowerBound - 4..<meta.lowerBound, with: "free".utf8)
    return result + box("meta", bytes[meta.prefix(4)] + copies(meta.dropFirst(4)))
  }

  /// The `infe` box of an item.
  static func item(_ id: UInt8, _ type: String) -> [UInt8] {
    box("infe", [2, 0, 0, 0, 0, id, 0, 0] + Array(type.utf8) + [0])
  }

  /// A reference in an `iref` box.
  static func reference(_ type: String, from source: UInt8, to targets: [UInt8]) -> [UInt8] {
    box(type, [0, source, 0, UInt8(targets.count)] + targets.flatMap { [0, $0] })
  }

  static func extents(_ width: UInt8, _ height: UInt8) -> [UInt8] {
    box("ispe", [0, 0, 0, 0, 0, 0, 0, width, 0, 0, 0, height])
  }
}

/// Lossless WebP pictures of two colors, written bit by bit.
///
/// > Source: RFC 9649, section 3.
enum WebPFixture {
  static let isAvailable = cdc_load_webp()
  static let hasEncoder =
    isAvailable
    && ["/usr/bin/cwebp", "/usr/local/bin/cwebp"]
      .contains(where: FileManager.default.isExecutableFile)

  /// The `VP8L` chunk of a picture with this opacity, which is green where `isLit` and black
  /// elsewhere.
  static func chunk(
    height: Int, width: Int, opacity: UInt8 = 255, isLit: (_ y: Int, _ x: Int) -> Bool
  ) -> [UInt8] {
    var bits: [UInt8] = []
    func add(_ value: Int, _ count: Int) {
      for bit in 0..<count { bits.append(UInt8(value >> bit & 1)) }
    }
    add(width - 1, 14)
    add(height - 1, 14)
    add(opacity < 255 ? 1 : 0, 1)
    add(0, 3 + 1 + 1 + 1)  // The version, then no transform, no color cache and one group of codes.
    // Green has two symbols of one bit. Each other channel has one symbol of no bits.
    add(0b11, 2)
    add(1, 1)
    add(0, 8)
    add(255, 8)
    for symbol in [0, 0, Int(opacity), 0] {
      add(0b01, 2)
      add(1, 1)
      add(symbol, 8)
    }
    for y in 0..<height { for x in 0..<width { add(isLit(y, x) ? 1 : 0, 1) } }
    let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<min(bits.count, start + 8)].enumerated()
        .reduce(UInt8(0)) { $0 | $1.element << UInt8($1.offset) }
    }
    return chunk("VP8L", [0x2F] + bytes)
  }

  static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Array(type.utf8) + number(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
  }

  static func file(_ chunks: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + number(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
  }

  /// The chunk `VP8X`.
  static func extended(flags: UInt8, height: Int, width: Int) -> [UInt8] {
    chunk("VP8X", [flags, 0, 0, 0] + number(width - 1, 3) + number(height - 1, 3))
  }

  /// The chunk `ANMF` of a frame at even coordinates.
  static func frame(x: Int, y: Int, height: Int, width: Int, _ chunks: [UInt8]) -> [UInt8] {
    chunk(
      "ANMF",
      [x / 2, y / 2, width - 1, height - 1, 100].flatMap { number($0, 3) } + [0] + chunks)
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(value >> (8 * $0) & 255) }
  }
}
