/// The messages of one object: what it is, and the attributes that it has.
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
  /// - Throws: `UnreadForm` when its content is in another object.
  func message(_ type: MessageType) throws -> HDF5Fields? {
    guard let message = messages.first(where: { $0.type == type }) else { return nil }
    guard !message.isShared else { throw UnreadForm.shared }
    return message.content
  }

  func has(_ type: MessageType) -> Bool { messages.contains { $0.type == type } }
}

extension HDF5StructureReader {
  /// The header at an address, version 1, with its continuations.
  ///
  /// - Throws: `StructureFault`, `UnreadForm`; `DepthError` when the file cannot be read.
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
