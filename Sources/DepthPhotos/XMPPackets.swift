import DepthBase
import DepthErrors
import PictureFiles

/// The XMP of a JPEG: a packet of at most 64 KB, and for longer XMP also an extended packet stored in pieces.
///
/// > Source: Adobe, "XMP Specification Part 3: Storage in Files", section 1.1.3.
struct XMPPackets {
  static let standardName = "http://ns.adobe.com/xap/1.0/"
  static let extendedName = "http://ns.adobe.com/xmp/extension/"
  static let note = "http://ns.adobe.com/xmp/note/"
  static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

  /// Maximum bytes of an extended packet, which may contain a second photo.
  private static let longestExtended = 32 << 20

  /// All elements of both packets.
  let elements: [XMLElement]

  /// - Throws: `DepthError` with code `damaged` if a packet is not XML, or if pieces of the extended packet are
  ///   missing.
  init(_ jpeg: JPEGFile, name: String) throws {
    func damaged(_ reason: String) -> DepthError {
      .damaged(file: name, format: "XMP", reason: reason)
    }
    func parsed(_ bytes: [UInt8]) throws -> [XMLElement] {
      do { return try XMLParser.parse(bytes).all } catch let fault as XMLParser.Fault {
        throw damaged(fault.reason)
      }
    }
    guard let standard = jpeg.bodies(of: 0xE1, named: Self.standardName).first else {
      elements = []
      return
    }
    let main = try parsed(Array(standard))
    let guid = XMPPackets.value(of: .init(Self.note, "HasExtendedXMP"), in: main)
    guard let guid else {
      elements = main
      return
    }
    let head = 32 + 4 + 4
    var packet: [UInt8] = []
    var filled = 0
    for piece in jpeg.bodies(of: 0xE1, named: Self.extendedName) {
      guard piece.count >= head, piece.prefix(32).elementsEqual(guid.utf8) else { continue }
      func number(at offset: Int) -> Int {
        piece.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
      }
      let (length, offset) = (number(at: 32), number(at: 36))
      if packet.isEmpty, length <= jpeg.bytes.count {
        guard length <= Self.longestExtended else {
          throw damaged(
            "the extended packet has \(length) bytes, expected at most \(Self.longestExtended)")
        }
        packet = [UInt8](repeating: 0, count: length)
      }
      let body = piece.dropFirst(head)
      guard length == packet.count, offset + body.count <= packet.count else {
        throw damaged("a piece of the extended packet lies outside of it")
      }
      packet.replaceSubrange(offset..<offset + body.count, with: body)
      filled += body.count
    }
    guard filled > 0, filled >= packet.count else {
      throw damaged("the extended packet is incomplete: it has \(filled) of \(packet.count) bytes")
    }
    elements = main + (try parsed(packet))
  }

  /// A property, stored as an attribute or as an element.
  func value(of name: XMLElement.Name) -> String? { Self.value(of: name, in: elements) }

  private static func value(of name: XMLElement.Name, in elements: [XMLElement]) -> String? {
    for element in elements {
      if let value = element.attributes[name] { return value }
      if element.name == name, element.children.isEmpty { return element.text }
    }
    return nil
  }

  /// The segments of a description, and the segments that contain an extended description in pieces.
  ///
  /// - Parameters:
  ///   - main: Attributes and elements of the standard packet's description, with namespaces.
  ///   - extended: The description of the extended packet.
  static func segments(main: Description, extended: Description? = nil) -> [UInt8] {
    var main = main
    var pieces: [UInt8] = []
    if let extended {
      let packet = Array(extended.packet.utf8)
      let guid = MD5.hex(packet)
      main.namespaces.append(("xmpNote", note))
      main.attributes.append(("xmpNote:HasExtendedXMP", guid))
      let size = 65_400
      for start in stride(from: 0, to: packet.count, by: size) {
        var body = Array(extendedName.utf8) + [0] + Array(guid.utf8)
        body.append(bigEndian: UInt32(packet.count))
        body.append(bigEndian: UInt32(start))
        body += packet[start..<min(packet.count, start + size)]
        pieces += JPEGFile.segment(0xE1, body)
      }
    }
    return JPEGFile.segment(0xE1, Array(standardName.utf8) + [0] + Array(main.packet.utf8)) + pieces
  }

  /// One `rdf:Description`.
  struct Description {
    /// Prefixes and URIs.
    var namespaces: [(String, String)] = []
    /// Qualified names and values.
    var attributes: [(String, String)] = []
    /// Nested elements as XML.
    var content = ""

    var packet: String {
      let spaces = namespaces.map { " xmlns:\($0)=\"\($1)\"" }.joined()
      let values = attributes.map { " \($0)=\"\(Self.escaped($1))\"" }.joined()
      return "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(rdf)\">"
        + "<rdf:Description rdf:about=\"\"\(spaces)\(values)>\(content)</rdf:Description>"
        + "</rdf:RDF></x:xmpmeta>"
    }

    static func escaped(_ text: String) -> String {
      guard text.contains(where: { "&<>\"".contains($0) }) else { return text }
      return text.map { character in
        switch character {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        default: String(character)
        }
      }.joined()
    }
  }
}
