import DepthErrors
import DepthImages

/// The chunks of a WebP file, or of an animation's first frame.
///
/// > Source: RFC 9649, sections 2.3 to 2.7 (container), 3.4 (lossless header); RFC 6386, section 9.1 (key frame header).
struct WebPHeader {
  /// A picture inside the file, with its place on the canvas.
  struct Frame {
    var x = 0, y = 0
    var height, width: Int
    var hasAlpha: Bool
    /// A file that contains only this picture.
    var file: [UInt8]
  }

  /// Rows and columns of the canvas.
  let height, width: Int
  let isAnimated: Bool
  let exif, iccProfile: [UInt8]?
  let frame: Frame
  /// The range of the XMP chunk.
  let packet: Range<Int>?

  /// - Throws: `DepthError`: code `damaged` without a picture or with too many chunks; code `tooLarge` above the limits.
  init(_ bytes: [UInt8], file: String, limits: ImageLimits) throws {
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: file, format: "WebP", reason: reason)
    }
    let chunks = RIFFChunks(bytes)
    guard let all = chunks.all(in: 12..<bytes.count) else { throw damaged(RIFFChunks.excess) }
    func content(_ name: StaticString) -> Range<Int>? {
      all.first { chunks.isOf(name, $0) }?.content
    }
    /// A copy of a chunk of limited length.
    func block(_ name: StaticString) -> [UInt8]? {
      content(name).flatMap { $0.count <= ImageMetadata.blockLimit ? Array(bytes[$0]) : nil }
    }
    (exif, iccProfile, packet) = (block("EXIF"), block("ICCP"), content("XMP "))
    let extended = content("VP8X")?.lowerBound
    let flags = extended.flatMap { chunks.number(at: $0, count: 1) } ?? 0
    isAnimated = flags & 0x02 != 0
    if let extended {
      guard let columns = chunks.number(at: extended + 4, count: 3),
        let rows = chunks.number(at: extended + 7, count: 3)
      else { throw damaged("it has no size") }
      (width, height) = (columns + 1, rows + 1)
    } else {
      guard let size = all.first.flatMap(chunks.size) else { throw damaged("it has no size") }
      (width, height) = (size.width, size.height)
    }
    try limits.check(width: width, height: height, file: file)
    guard isAnimated else {
      let isMarked = flags & 0x10 != 0
      frame = Frame(
        height: height, width: width, hasAlpha: isMarked || all.contains(where: chunks.hasAlpha),
        file: bytes)
      return
    }
    guard let first = content("ANMF"), first.count > 16,
      let (x, y) = chunks.pair(at: first.lowerBound),
      let (right, bottom) = chunks.pair(at: first.lowerBound + 6)
    else { throw damaged("its first frame is missing") }
    guard let parts = chunks.all(in: first.dropFirst(16)) else { throw damaged(RIFFChunks.excess) }
    guard let size = parts.lazy.compactMap(chunks.size).first,
      (size.width, size.height) == (right + 1, bottom + 1), 2 * x + size.width <= width,
      2 * y + size.height <= height
    else { throw damaged("its first frame is not inside its canvas") }
    frame = Frame(
      x: 2 * x, y: 2 * y, height: size.height, width: size.width,
      hasAlpha: parts.contains(where: chunks.hasAlpha),
      file: chunks.still(first.dropFirst(16), height: size.height, width: size.width))
  }
}

/// Chunks of a RIFF file. Chunks that extend beyond the bytes are ignored.
private struct RIFFChunks {
  struct Chunk {
    /// Offset of the type.
    let type: Int
    let content: Range<Int>
  }

  /// Maximum number of chunks. An animation has one chunk per frame.
  private static let largestCount = 1 << 16
  static let excess = "it has more than \(largestCount) chunks"

  let reader: ByteReader

  init(_ bytes: [UInt8]) { reader = ByteReader(bytes: bytes, order: .little) }

  func number(at offset: Int, count: Int) -> Int? {
    var value = 0
    for index in 0..<count {
      guard let byte = reader.integer(UInt8.self, at: offset + index) else { return nil }
      value |= Int(byte) << (8 * index)
    }
    return value
  }

  func pair(at offset: Int) -> (Int, Int)? {
    guard let first = number(at: offset, count: 3), let second = number(at: offset + 3, count: 3)
    else { return nil }
    return (first, second)
  }

  func isOf(_ type: StaticString, _ chunk: Chunk) -> Bool { reader.holds(type, at: chunk.type) }

  /// The chunks in a range; `nil` if there are too many.
  func all(in range: Range<Int>) -> [Chunk]? {
    var chunks: [Chunk] = []
    var offset = range.lowerBound
    while offset <= range.upperBound - 8, let size = number(at: offset + 4, count: 4),
      size <= range.upperBound - offset - 8
    {
      guard chunks.count < Self.largestCount else { return nil }
      chunks.append(Chunk(type: offset, content: offset + 8..<offset + 8 + size))
      offset += 8 + size + size & 1
    }
    return chunks
  }

  /// The size in a chunk of pixels.
  func size(_ chunk: Chunk) -> (height: Int, width: Int)? {
    let start = chunk.content.lowerBound
    if isOf("VP8 ", chunk), reader.integer(UInt16.self, at: start + 3) == 0x019D,
      let columns = number(at: start + 6, count: 2), let rows = number(at: start + 8, count: 2)
    {
      return (rows & 0x3FFF, columns & 0x3FFF)
    }
    if isOf("VP8L", chunk), let bits = number(at: start + 1, count: 4) {
      return (bits >> 14 & 0x3FFF + 1, bits & 0x3FFF + 1)
    }
    return nil
  }

  func hasAlpha(_ chunk: Chunk) -> Bool {
    if isOf("ALPH", chunk) { return true }
    return isOf("VP8L", chunk)
      && (number(at: chunk.content.lowerBound + 1, count: 4) ?? 0) >> 28 & 1 == 1
  }

  /// A file with the chunks of one frame.
  func still(_ frame: Range<Int>, height: Int, width: Int) -> [UInt8] {
    func bytes(_ value: Int, count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var body = Array("WEBP".utf8)
    // A separate alpha chunk requires the extended form.
    if reader.holds("ALPH", at: frame.lowerBound) {
      body += Array("VP8X".utf8) + bytes(10, count: 4) + bytes(0x10, count: 4)
      body += bytes(width - 1, count: 3) + bytes(height - 1, count: 3)
    }
    body += reader.bytes[frame]
    return Array("RIFF".utf8) + bytes(body.count, count: 4) + body
  }
}
