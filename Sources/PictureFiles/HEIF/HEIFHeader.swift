import DepthErrors
import DepthImages

/// The size of the primary picture of a HEIC or AVIF file, read before any library sees the file.
///
/// > Source: ISO/IEC 14496-12, sections 4.2 (boxes), 8.11.1 and 8.11.4 (`meta`, `pitm`); ISO/IEC 23008-12, sections 6.5.3, 6.5.10
/// > and 9.3 (`ispe`, `irot`, `ipma`); for `clap` ISO/IEC 14496-12, section 12.1.4.
struct HEIFHeader {
  let format: ChildDecoder.Format
  /// Rows and columns of the upright picture.
  let height, width: Int
  /// Whether a property has one of the types of auxiliary pictures that libheif takes for depth.
  let mentionsDepth: Bool

  /// - Throws: `DepthError` with code `damaged` when the boxes lead to no size, `tooLarge`.
  init(_ bytes: [UInt8], file: String, limits: ImageLimits) throws {
    let format: ChildDecoder.Format = FileSignature(of: bytes) == .avif ? .avif : .heic
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: file, format: format.rawValue, reason: reason)
    }
    let boxes = Boxes(bytes)
    guard let meta = boxes.first("meta", in: 0..<bytes.count)?.dropFirst(4) else {
      throw damaged("it has no box 'meta'")
    }
    guard let primary = boxes.first("pitm", in: meta).flatMap(boxes.primaryItem),
      let properties = boxes.first("iprp", in: meta),
      let container = boxes.first("ipco", in: properties)
    else { throw damaged("it names no primary picture") }
    let all = boxes.all(in: container)
    let own = boxes.all(in: properties).filter { boxes.isOf("ipma", $0) }
      .flatMap { boxes.properties(of: primary, in: $0.content) }
      .compactMap { $0 > 0 && $0 <= all.count ? all[$0 - 1] : nil }
    guard let extents = own.first(where: { boxes.isOf("ispe", $0) })?.content.lowerBound,
      var width = boxes.number(UInt32.self, at: extents + 4),
      var height = boxes.number(UInt32.self, at: extents + 8)
    else { throw damaged("its primary picture has no size") }
    try limits.check(width: width, height: height, file: file)
    // In their order.
    for property in own {
      let start = property.content.lowerBound
      if boxes.isOf("irot", property), (boxes.number(UInt8.self, at: start) ?? 0) & 1 == 1 {
        swap(&width, &height)
      } else if boxes.isOf("clap", property) {
        guard let columns = boxes.rounded(at: start), let rows = boxes.rounded(at: start + 8),
          columns <= width, rows <= height
        else { throw damaged("it is cropped to no part of it") }
        (width, height) = (columns, rows)
      }
    }
    try limits.check(width: width, height: height, file: file)
    (self.format, self.height, self.width) = (format, height, width)
    mentionsDepth =
      boxes.reader.contains(":auxid:2", in: container)
      || boxes.reader.contains(":auxiliary:depth", in: container)
  }
}

/// ISO base media boxes; boxes that extend beyond the bytes are ignored.
private struct Boxes {
  struct Box {
    /// Offset of the type.
    let type: Int
    let content: Range<Int>
  }

  let reader: ByteReader

  init(_ bytes: [UInt8]) { reader = ByteReader(bytes: bytes) }

  func number<T: FixedWidthInteger & UnsignedInteger>(_: T.Type, at offset: Int) -> Int? {
    reader.integer(T.self, at: offset).flatMap { Int(exactly: $0) }
  }

  func isOf(_ type: StaticString, _ box: Box) -> Bool { reader.holds(type, at: box.type) }

  func all(in range: Range<Int>) -> [Box] {
    var boxes: [Box] = []
    var offset = range.lowerBound
    while offset <= range.upperBound - 8, let size = number(UInt32.self, at: offset) {
      var start = offset + 8
      var end = size == 0 ? range.upperBound : offset + size
      if size == 1 {
        guard let long = number(UInt64.self, at: start), long <= range.upperBound else { break }
        (start, end) = (start + 8, offset + long)
      }
      guard end >= start, end <= range.upperBound else { break }
      boxes.append(Box(type: offset + 4, content: start..<end))
      offset = end
    }
    return boxes
  }

  func first(_ type: StaticString, in range: Range<Int>) -> Range<Int>? {
    all(in: range).first { isOf(type, $0) }?.content
  }

  func primaryItem(_ content: Range<Int>) -> Int? {
    let start = content.lowerBound
    return number(UInt8.self, at: start) == 0
      ? number(UInt16.self, at: start + 4) : number(UInt32.self, at: start + 4)
  }

  /// The numbers, from 1, of an item's properties in a box of associations.
  func properties(of item: Int, in content: Range<Int>) -> [Int] {
    guard let version = number(UInt8.self, at: content.lowerBound),
      let flags = number(UInt8.self, at: content.lowerBound + 3)
    else { return [] }
    var found: [Int] = []
    var offset = content.lowerBound + 8
    while offset < content.upperBound {
      let id = version == 0 ? number(UInt16.self, at: offset) : number(UInt32.self, at: offset)
      offset += version == 0 ? 2 : 4
      guard let id, let count = number(UInt8.self, at: offset) else { break }
      offset += 1
      for _ in 0..<count {
        if id == item {
          let entry =
            flags & 1 == 0
            ? number(UInt8.self, at: offset).map { $0 & 0x7F }
            : number(UInt16.self, at: offset).map { $0 & 0x7FFF }
          if let entry { found.append(entry) }
        }
        offset += flags & 1 == 0 ? 1 : 2
      }
    }
    return found
  }

  /// A positive quotient of two numbers, to the nearest integer.
  func rounded(at offset: Int) -> Int? {
    guard let numerator = number(UInt32.self, at: offset),
      let denominator = number(UInt32.self, at: offset + 4), denominator > 0
    else { return nil }
    let quotient = (numerator + denominator / 2) / denominator
    return quotient > 0 ? quotient : nil
  }
}
