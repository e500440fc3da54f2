import CDepthBase

/// Lossless WebP pictures of one color, written bit by bit.
///
/// > Source: RFC 9649, sections 2 (container) and 3 (lossless).
enum WebPSeed {
  /// A plain file, one with alpha, profile and Exif block, and an animation; they are decoded where libwebp is installed.
  static var all: [FuzzSeed] {
    let extended = chunk("VP8X", [0x3C, 0, 0, 0, 23, 0, 0, 15, 0, 0])
    let frame = chunk("ANMF", [2, 0, 0, 1, 0, 0, 7, 0, 0, 3, 0, 0, 100, 0, 0, 0] + picture(8, 4))
    return [
      picture(24, 16),
      extended + chunk("ICCP", [UInt8](repeating: 0, count: 16) + Array("RGB ".utf8))
        + picture(24, 16) + chunk("EXIF", ExifSeed.block(isBigEndian: true)),
      chunk("VP8X", [0x12, 0, 0, 0, 23, 0, 0, 15, 0, 0]) + chunk("ANIM", [0, 0, 0, 0, 0, 0])
        + frame,
    ].map { chunks in
      FuzzSeed(
        Array("RIFF".utf8) + number(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks,
        isWhole: cdc_load_webp())
    }
  }

  /// A half transparent picture: its size, and five codes of one symbol.
  private static func picture(_ width: Int, _ height: Int) -> [UInt8] {
    var (bits, count) = (width - 1 | (height - 1) << 14 | 1 << 28, 35)
    var bytes: [UInt8] = []
    for symbol in [200, 90, 30, 128, 0] {
      bits |= (0b101 | symbol << 3) << count
      count += 11
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: bits))
        (bits, count) = (bits >> 8, count - 8)
      }
    }
    return chunk("VP8L", [0x2F] + bytes + [UInt8(truncatingIfNeeded: bits)])
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Array(type.utf8) + number(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
