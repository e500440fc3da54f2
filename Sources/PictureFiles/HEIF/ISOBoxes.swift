/// ISO base media boxes; boxes that extend beyond the bytes are ignored.
///
/// > Source: ISO/IEC 14496-12, section 4.2.
struct ISOBoxes {
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

  /// Whether the boxes fill the bytes: none ends beyond them.
  var areWhole: Bool {
    let count = reader.bytes.count
    return all(in: 0..<count).last.map { count - $0.content.upperBound < 8 } ?? false
  }
}

/// The boxes of a box `meta`.
///
/// > Source: ISO/IEC 14496-12, sections 8.11.4, 8.11.6 and 8.11.12 (`pitm`, `iinf`, `iref`); ISO/IEC 23008-12, section 9.3 (`ipma`).
extension ISOBoxes {
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

  /// The four letters of each item's type.
  func itemTypes(in meta: Range<Int>) -> [Int: String] {
    guard let list = first("iinf", in: meta),
      let version = number(UInt8.self, at: list.lowerBound)
    else { return [:] }
    var types: [Int: String] = [:]
    for entry in all(in: list.dropFirst(version == 0 ? 6 : 8)) where isOf("infe", entry) {
      let start = entry.content.lowerBound
      guard let version = number(UInt8.self, at: start), version >= 2 else { continue }
      let id =
        version == 2 ? number(UInt16.self, at: start + 4) : number(UInt32.self, at: start + 4)
      let type = start + (version == 2 ? 8 : 10)
      guard let id, type + 4 <= entry.content.upperBound else { continue }
      types[id] = String(decoding: reader.bytes[type..<type + 4], as: UTF8.self)
    }
    return types
  }

  /// A reference between items.
  struct Reference: Equatable {
    /// Four letters: `auxl`, `cdsc`, `dimg`.
    var type: String
    var source: Int
    var targets: [Int]
  }

  /// The references of a box `iref`; `nil` if they do not fill it.
  func references(in content: Range<Int>) -> (references: [Reference], hasLongNumbers: Bool)? {
    guard let version = number(UInt8.self, at: content.lowerBound) else { return nil }
    let isLong = version != 0
    let size = isLong ? 4 : 2
    func id(at offset: Int) -> Int? {
      isLong ? number(UInt32.self, at: offset) : number(UInt16.self, at: offset)
    }
    let boxes = all(in: content.dropFirst(4))
    guard (boxes.last?.content.upperBound ?? content.lowerBound + 4) == content.upperBound else {
      return nil
    }
    var references: [Reference] = []
    for box in boxes {
      let start = box.content.lowerBound
      guard let source = id(at: start), let count = number(UInt16.self, at: start + size),
        start + size + 2 + count * size <= box.content.upperBound
      else { return nil }
      let targets = (0..<count).compactMap { id(at: start + size + 2 + $0 * size) }
      references.append(
        Reference(
          type: String(decoding: reader.bytes[box.type..<box.type + 4], as: UTF8.self),
          source: source, targets: targets))
    }
    return (references, isLong)
  }
}
