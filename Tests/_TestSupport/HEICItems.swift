/// The items of a HEIC file, read by ISO/IEC 14496-12 and 23008-12 without the code under test.
package struct HEICItems {
  package struct Item {
    package var type = ""
    /// The bytes at the position that `iloc` states.
    package var content: [UInt8] = []
    /// The property boxes of the item, in order.
    package var properties: [(type: String, content: [UInt8], isEssential: Bool)] = []
    package subscript(property: String) -> [UInt8]? {
      properties.first { $0.type == property }?.content
    }
  }

  package var items: [Int: Item] = [:]
  package var primary = 0
  /// The type and number of a group, and the numbers of the group's items.
  package var groups: [(type: String, number: Int, items: [Int])] = []
  package var references: [(type: String, source: Int, targets: [Int])] = []
  /// The types of the file's boxes.
  package var boxes: [String] = []

  package init(_ file: [UInt8]) {
    func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
      bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }
    func children(_ bytes: [UInt8]) -> [(type: String, content: [UInt8])] {
      var found: [(String, [UInt8])] = []
      var start = 0
      while start < bytes.count {
        let size = number(bytes, start, 4)
        precondition(size >= 8 && start + size <= bytes.count, "a box ends outside its parent")
        found.append(
          (
            String(decoding: bytes[start + 4..<start + 8], as: UTF8.self),
            Array(bytes[start + 8..<start + size])
          ))
        start += size
      }
      return found
    }
    func child(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
      children(bytes).first { $0.type == type }?.content ?? []
    }
    boxes = children(file).map(\.type)
    let meta = Array(child("meta", file).dropFirst(4))
    precondition(child("hdlr", meta)[8..<12].elementsEqual("pict".utf8), "the handler is another")
    primary = number(child("pitm", meta), 4, 2)
    for entry in children(Array(child("iinf", meta).dropFirst(6))) {
      items[number(entry.content, 4, 2), default: Item()].type =
        String(decoding: entry.content[8..<12], as: UTF8.self)
    }
    // Version 0 has offsets and lengths of four bytes, and one extent for each item.
    let places = child("iloc", meta)
    precondition(number(places, 0, 6) == 0x4400)
    for index in 0..<number(places, 6, 2) {
      let start = 8 + 14 * index
      precondition(number(places, start + 2, 4) == 1)
      let (offset, length) = (number(places, start + 6, 4), number(places, start + 10, 4))
      items[number(places, start, 2), default: Item()].content =
        Array(file[offset..<offset + length])
    }
    let described = child("iprp", meta)
    let properties = children(child("ipco", described))
    let associations = child("ipma", described)
    var start = 8
    for _ in 0..<number(associations, 4, 4) {
      let (item, count) = (number(associations, start, 2), Int(associations[start + 2]))
      items[item]?.properties = associations[start + 3..<start + 3 + count].map { byte in
        let property = properties[Int(byte & 0x7F) - 1]
        return (property.type, property.content, byte & 0x80 != 0)
      }
      start += 3 + count
    }
    for group in children(child("grpl", meta)) {
      groups.append(
        (
          group.type, number(group.content, 4, 4),
          (0..<number(group.content, 8, 4)).map { number(group.content, 12 + 4 * $0, 4) }
        ))
    }
    for reference in children(Array(child("iref", meta).dropFirst(4))) {
      references.append(
        (
          reference.type, number(reference.content, 0, 2),
          (0..<number(reference.content, 2, 2)).map { number(reference.content, 4 + 2 * $0, 2) }
        ))
    }
  }

  /// Signed 32-bit integers.
  package static func integers(_ bytes: some Collection<UInt8>) -> [Int32] {
    let bytes = Array(bytes)
    return stride(from: 0, to: bytes.count - 3, by: 4).map { start in
      Int32(bitPattern: bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
  }
}
