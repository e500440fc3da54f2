/// The messages of an object: its properties and attributes.
struct ObjectHeader {
  /// A message's type in the format's specification.
  enum MessageType: Int {
    case dataspace = 0x01
    case linkInfo = 0x02
    case datatype = 0x03
    case link = 0x06
    case externalFiles = 0x07
    case layout = 0x08
    case attribute = 0x0C
    case continuation = 0x10
    case symbolTable = 0x11
    case attributeInfo = 0x15
  }

  struct Message {
    let type: MessageType
    /// Whether the content is in another object.
    let isShared: Bool
    let content: HDF5Fields
  }

  fileprivate(set) var messages: [Message] = []

  /// The first message of a type.
  ///
  /// - Throws: `UnreadForm` if the message's content is in another object.
  func message(_ type: MessageType) throws -> HDF5Fields? {
    guard let message = messages.first(where: { $0.type == type }) else { return nil }
    guard !message.isShared else { throw UnreadForm.shared }
    return message.content
  }

  func has(_ type: MessageType) -> Bool { messages.contains { $0.type == type } }
}

extension HDF5StructureReader {
  /// The version 1 header at an address, with its continuations.
  ///
  /// - Throws: `StructureFault`, `UnreadForm`; `DepthError` if the file cannot be read.
  mutating func header(at address: UInt64) throws -> ObjectHeader {
    let prefix = try fields(at: address, count: 16)
    if try prefix.part(from: 0, count: 4).array == Array("OHDR".utf8) {
      throw UnreadForm("has object headers of version 2, expected version 1")
    }
    guard try prefix.small(at: 0) == 1 else {
      throw StructureFault("its header is not of version 1")
    }
    let expected = try prefix.small(at: 2, bytes: 2)
    var header = ObjectHeader()
    var blocks = [(address: address + 16, count: try prefix.number(at: 8, bytes: 4))]
    var (next, found) = (0, 0)
    while next < blocks.count {
      let block = try fields(at: blocks[next].address, count: blocks[next].count)
      next += 1
      var offset = 0
      while offset + 8 <= block.count {
        let content = try block.part(
          from: offset + 8, count: block.small(at: offset + 2, bytes: 2))
        let type = ObjectHeader.MessageType(rawValue: try block.small(at: offset, bytes: 2))
        if type == .continuation {
          blocks.append(
            (try content.number(at: 0, bytes: 8), try content.number(at: 8, bytes: 8)))
        } else if let type {
          let isShared = try block.small(at: offset + 4) & 2 != 0
          header.messages.append(.init(type: type, isShared: isShared, content: content))
        }
        found += 1
        guard found <= expected else {
          throw StructureFault("its header has more than \(expected) messages")
        }
        offset += 8 + content.count
      }
    }
    guard found == expected else {
      throw StructureFault("its header has \(found) messages, expected \(expected)")
    }
    return header
  }
}

/// The parsed content of an attribute message.
///
/// > Source: “HDF5 File Format Specification Version 3.0”, section IV.A.2.m.
struct AttributeMessage {
  let name: String
  let datatype, dataspace, values: HDF5Fields
  /// Whether the type or the extents are in another object.
  let isShared: Bool

  /// - Throws: `StructureFault`.
  init(_ message: HDF5Fields) throws {
    let version = try message.small(at: 0)
    guard (1...3).contains(version) else {
      throw StructureFault("an attribute is of version \(version), expected 1 to 3")
    }
    isShared = version > 1 ? try message.small(at: 1) & 3 != 0 : false
    // Version 3 has a byte for the name's encoding; version 1 pads each part to eight bytes.
    var offset = version == 3 ? 9 : 8
    func next(_ sizeOffset: Int) throws -> HDF5Fields {
      let size = try message.small(at: sizeOffset, bytes: 2)
      defer { offset += version == 1 ? (size + 7) / 8 * 8 : size }
      return try message.part(from: offset, count: size)
    }
    name = String(decoding: try next(2).array.prefix { $0 != 0 }, as: UTF8.self)
    datatype = try next(4)
    dataspace = try next(6)
    values = try message.part(from: offset)
  }
}
