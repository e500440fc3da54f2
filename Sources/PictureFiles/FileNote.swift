import AtomicFiles
package import SystemEssentials

/// A line of text inside a finished file that records what it was made with.
///
/// | format | place |
/// |---|---|
/// | PNG, APNG | `tEXt` chunk `depth:made-with` after the header |
/// | JPEG | comment segment after the JFIF and Exif segments |
/// | GIF | comment extension after the global palette |
///
/// PFM, NumPy and OpenEXR files have no room. Multi-picture JPEGs are left alone: they count bytes from their first
/// segments to their pictures.
package enum FileNote {
  private static let keyword = "depth:made-with"
  /// Segments before the comment are at most 64 KiB of Exif and a JFIF header.
  private static let searched = 80 << 10

  /// The file with the text inside; `nil` where its format has no room.
  ///
  /// - Precondition: `text` is ASCII.
  package static func adding(_ text: String, to file: [UInt8]) -> [UInt8]? {
    precondition(text.utf8.allSatisfy { $0 < 0x80 }, "'\(text)', expected ASCII")
    switch FileSignature(of: file) {
    case .png: return inserting(PNGChunks.text(keyword, text), at: headerEnd, into: file)
    case .jpeg:
      let segments = jpegSegments(file)
      let isMultiPicture = segments.contains {
        $0.marker == JPEGMarker.app2 && file[$0.body].starts(with: "MPF\0".utf8)
      }
      let body = Array("\(keyword)\0\(text)".utf8)
      guard !isMultiPicture, body.count <= 65_533 else { return nil }
      return inserting(
        JPEGFile.segment(JPEGMarker.comment, body),
        at: JPEGFile.insertionOffset(after: segments, of: file), into: file)
    case .exr: return nil
    default:
      guard let offset = paletteEnd(file) else { return nil }
      return inserting(gifComment("\(keyword)\0\(text)"), at: offset, into: file)
    }
  }

  /// The text inside a file; `nil` where it has none. Only the file's beginning is read.
  package static func text(of url: URL) -> String? {
    InputFile.beginning(of: url, count: searched).flatMap(text(in:))
  }

  /// Whether a picture was written by this library: it has such a text, or is a depth PNG.
  package static func isOwn(_ url: URL) -> Bool {
    guard let start = InputFile.beginning(of: url, count: searched) else { return false }
    return text(in: start) != nil || pngKeywords(start).contains { $0.hasPrefix("depth:") }
  }

  /// The text inside a file whose beginning these bytes are; `nil` where it has none.
  package static func text(in start: [UInt8]) -> String? {
    switch FileSignature(of: start) {
    case .png: return pngTexts(start).first { $0.keyword == keyword }?.text
    case .exr: return nil
    case .jpeg:
      return jpegSegments(start).lazy.filter { $0.marker == JPEGMarker.comment }
        .compactMap { named(start[$0.body]) }.first
    default:
      guard var offset = paletteEnd(start), start.count > offset + 2,
        start[offset] == 0x21, start[offset + 1] == 0xFE
      else { return nil }
      offset += 2
      var body: [UInt8] = []
      while offset < start.count, start[offset] > 0 {
        let end = offset + 1 + Int(start[offset])
        guard end <= start.count else { return nil }
        body += start[offset + 1..<end]
        offset = end
      }
      return named(body[...])
    }
  }

  /// The text after our keyword and a zero.
  private static func named(_ body: ArraySlice<UInt8>) -> String? {
    let head = Array("\(keyword)\0".utf8)
    return body.starts(with: head)
      ? String(decoding: body.dropFirst(head.count), as: UTF8.self) : nil
  }

  /// - Returns: `nil` for a file that ends before `offset`.
  private static func inserting(_ part: [UInt8], at offset: Int, into file: [UInt8]) -> [UInt8]? {
    guard offset <= file.count else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(file.count + part.count)
    result += file[..<offset]
    result += part
    result += file[offset...]
    return result
  }

  // MARK: - PNG

  /// Signature and IHDR chunk.
  private static let headerEnd = 33

  private static func pngKeywords(_ start: [UInt8]) -> [String] {
    FileSignature(of: start) == .png ? pngTexts(start).map(\.keyword) : []
  }

  /// The `tEXt` chunks before the pixels.
  private static func pngTexts(_ start: [UInt8]) -> [(keyword: String, text: String)] {
    var texts: [(keyword: String, text: String)] = []
    var offset = PNGChunks.signature.count
    while let chunk = PNGChunks.chunk(of: start, at: offset), chunk.type != "IDAT" {
      if chunk.type == "tEXt", let text = PNGChunks.text(in: start[chunk.data]) {
        texts.append(text)
      }
      offset = chunk.end
    }
    return texts
  }

  // MARK: - JPEG

  /// The whole segments before the first scan, or before the end of a file's beginning.
  private static func jpegSegments(_ start: [UInt8]) -> [JPEGFile.Segment] {
    var segments: [JPEGFile.Segment] = []
    _ = try? JPEGSegments.walk(start, file: "JPEG") {
      segments.append(JPEGFile.Segment(marker: $0, body: $1))
    }
    return segments
  }

  // MARK: - GIF

  /// The offset after header, screen descriptor and global palette.
  private static func paletteEnd(_ file: [UInt8]) -> Int? {
    guard file.starts(with: Array("GIF89a".utf8)), file.count > 13 else { return nil }
    let flags = file[10]
    return 13 + (flags & 0x80 != 0 ? 3 << (Int(flags & 7) + 1) : 0)
  }

  /// A comment extension: blocks of up to 255 bytes, and an empty one.
  private static func gifComment(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return [0x21, 0xFE]
      + stride(from: 0, to: bytes.count, by: 255).flatMap { start in
        let block = bytes[start..<min(start + 255, bytes.count)]
        return [UInt8(block.count)] + block
      } + [0]
  }
}
