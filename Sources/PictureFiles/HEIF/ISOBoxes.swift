/// ISO base media boxes. Boxes that extend beyond the bytes are ignored.
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

  /// The consecutive boxes of a range.
  struct Boxes: Sequence, IteratorProtocol {
    fileprivate let reader: ByteReader
    fileprivate var offset: Int
    fileprivate let end: Int

    mutating func next() -> Box? {
      guard offset <= end - 8, let size = reader.integer(UInt32.self, at: offset) else {
        return nil
      }
      var (start, stop) = (offset + 8, size == 0 ? end : offset + Int(size))
      if size == 1 {
        guard let long = reader.integer(UInt64.self, at: start), long <= end else { return nil }
        (start, stop) = (start + 8, offset + Int(long))
      }
      guard stop >= start, stop <= end else { return nil }
      defer { offset = stop }
      return Box(type: offset + 4, content: start..<stop)
    }
  }

  func all(in range: Range<Int>) -> Boxes {
    Boxes(reader: reader, offset: range.lowerBound, end: range.upperBound)
  }

  func first(_ type: StaticString, in range: Range<Int>) -> Range<Int>? {
    all(in: range).first { isOf(type, $0) }?.content
  }

  /// Whether boxes fill the bytes exactly.
  var areWhole: Bool {
    let count = reader.bytes.count
    let end = all(in: 0..<count).reduce(nil as Int?) { $1.content.upperBound }
    return end.map { count - $0 < 8 } ?? false
  }
}

/// Parsing of boxes inside `meta`.
///
/// > Source: ISO/IEC 14496-12, sections 8.11.4, 8.11.6 and 8.11.12 (`pitm`, `iinf`, `iref`); ISO/IEC 23008-12, section 9.3 (`ipma`).
extension ISOBoxes {
  func primaryItem(_ content: Range<Int>) -> Int? {
    let start = content.lowerBound
    return number(UInt8.self, at: start) == 0
      ? number(UInt16.self, at: start + 4) : number(UInt32.self, at: start + 4)
  }

  /// The property numbers of an item, from 1, in a box of associations that lists each item once.
  func properties(of item: Int, in content: Range<Int>) -> [Int] {
    guard let flags = number(UInt8.self, at: content.lowerBound + 3) else { return [] }
    let size = flags & 1 == 0 ? 1 : 2
    for entry in associations(in: content) where entry.item == item {
      return (0..<entry.count).compactMap { index in
        let place = entry.start + index * size
        return size == 1
          ? number(UInt8.self, at: place).map { $0 & 0x7F }
          : number(UInt16.self, at: place).map { $0 & 0x7FFF }
      }
    }
    return []
  }

  /// The entries of a box `ipma`: an item, its number of properties, and the offset of the property numbers.
  func associations(
    in content: Range<Int>
  ) -> some Sequence<(item: Int, count: Int, start: Int)> {
    let isLong = number(UInt8.self, at: content.lowerBound) != 0
    let size = number(UInt8.self, at: content.lowerBound + 3).map { $0 & 1 == 0 ? 1 : 2 } ?? 1
    return sequence(state: content.lowerBound + 8) { offset in
      guard offset < content.upperBound,
        let item = isLong
          ? number(UInt32.self, at: offset) : number(UInt16.self, at: offset),
        let count = number(UInt8.self, at: offset + (isLong ? 4 : 2))
      else { return nil }
      let start = offset + (isLong ? 5 : 3)
      offset = start + count * size
      return (item, count, start)
    }
  }

  /// The four letters of an item's type.
  func type(of item: Int, in meta: Range<Int>) -> String? {
    items(in: meta).first { $0.id == item }?.type
  }

  /// The four letters of each item's type.
  func itemTypes(in meta: Range<Int>) -> [Int: String] {
    Dictionary(items(in: meta).map { ($0.id, $0.type) }) { first, _ in first }
  }

  func items(in meta: Range<Int>) -> some Sequence<(id: Int, type: String)> {
    let list = first("iinf", in: meta) ?? meta.lowerBound..<meta.lowerBound
    let isShort = number(UInt8.self, at: list.lowerBound) == 0
    return all(in: list.dropFirst(isShort ? 6 : 8)).lazy.compactMap { entry in
      let start = entry.content.lowerBound
      guard isOf("infe", entry), let version = number(UInt8.self, at: start), version >= 2 else {
        return nil
      }
      let id =
        version == 2 ? number(UInt16.self, at: start + 4) : number(UInt32.self, at: start + 4)
      let type = start + (version == 2 ? 8 : 10)
      guard let id, type + 4 <= entry.content.upperBound else { return nil }
      return (id, String(decoding: reader.bytes[type..<type + 4], as: UTF8.self))
    }
  }

  /// A reference between items.
  struct Reference: Equatable {
    /// Type of four letters: `auxl`, `cdsc`, `dimg`.
    var type: String
    var source: Int
    var targets: [Int]
  }

  /// The references in a box `iref`; `nil` if they do not fill the box.
  func references(in content: Range<Int>) -> (references: [Reference], hasLongNumbers: Bool)? {
    guard let version = number(UInt8.self, at: content.lowerBound) else { return nil }
    let isLong = version != 0
    let size = isLong ? 4 : 2
    func id(at offset: Int) -> Int? {
      isLong ? number(UInt32.self, at: offset) : number(UInt16.self, at: offset)
    }
    let boxes = Array(all(in: content.dropFirst(4)))
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
