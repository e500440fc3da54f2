/// An XML element with resolved namespaces, for the subset of XML that XMP uses.
///
/// Comments, processing instructions and declarations are skipped. Only character references and the five predefined
/// entities are supported, which prevents expansion attacks.
struct XMLElement: Equatable {
  /// Namespace and local name.
  struct Name: Hashable {
    var namespace: String
    var local: String

    init(_ namespace: String, _ local: String) { (self.namespace, self.local) = (namespace, local) }
  }

  var name: Name
  var attributes: [Name: String]
  var children: [XMLElement] = []
  /// Character data directly inside the element, without white space at the ends.
  var text = ""

  /// This element and all of its descendants.
  var all: [XMLElement] { [self] + children.flatMap(\.all) }

  func child(_ name: Name) -> XMLElement? { children.first { $0.name == name } }
}

/// A parser of one document.
struct XMLParser {
  /// The first error in a document.
  struct Fault: Error, Equatable { var reason: String }

  private let bytes: [UInt8]
  private var offset = 0
  /// Number of elements, attributes, comments and instructions so far.
  private var parts = 0

  /// Maximum number of parts. The longest edit histories of photos have thousands of parts.
  private static let maximumParts = 1 << 16
  /// Maximum nesting depth; XMP needs about ten.
  private static let maximumDepth = 64
  /// Maximum namespaces in scope; XMP needs about twenty. Each element that declares a namespace copies the outer
  /// namespaces.
  private static let maximumNamespaces = 256

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Parses a UTF-8 document and returns its root element.
  ///
  /// - Throws: ``Fault``.
  static func parse(_ bytes: [UInt8]) throws -> XMLElement {
    var parser = XMLParser(bytes)
    try parser.skipProlog()
    return try parser.element([:], depth: 0)
  }

  private mutating func countPart() throws {
    parts += 1
    guard parts <= Self.maximumParts else {
      throw Fault(reason: "has more than \(Self.maximumParts) parts")
    }
  }

  private func isAt(_ text: StaticString) -> Bool {
    guard bytes.count - offset >= text.utf8CodeUnitCount else { return false }
    return String(describing: text).utf8.elementsEqual(
      bytes[offset..<offset + text.utf8CodeUnitCount])
  }

  /// Skips a comment, an instruction or the end of a tag.
  private mutating func skip(through text: String) throws {
    try countPart()
    let wanted = Array(text.utf8)
    while offset + wanted.count <= bytes.count {
      if bytes[offset..<offset + wanted.count].elementsEqual(wanted) {
        offset += wanted.count
        return
      }
      offset += 1
    }
    throw Fault(reason: "ends before '\(text)'")
  }

  private mutating func skipSpace() {
    while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
  }

  /// Skips everything before the first element.
  private mutating func skipProlog() throws {
    while offset < bytes.count {
      if isAt("<?") {
        try skip(through: "?>")
      } else if isAt("<!--") {
        try skip(through: "-->")
      } else if isAt("<!") {
        try skip(through: ">")
      } else if bytes[offset] == UInt8(ascii: "<") {
        return
      } else {
        offset += 1
      }
    }
    throw Fault(reason: "holds no element")
  }

  private mutating func token() throws -> String {
    let start = offset
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/"),
        UInt8(ascii: "<"):
        guard offset > start else { throw Fault(reason: "a name is missing at byte \(start)") }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
      default: offset += 1
      }
    }
    throw Fault(reason: "ends inside a tag")
  }

  private mutating func element(_ inherited: [String: String], depth: Int) throws -> XMLElement {
    guard depth < Self.maximumDepth else { throw Fault(reason: "is nested too deeply") }
    try countPart()
    offset += 1
    let tag = try token()
    var prefixes = inherited
    var raw: [(String, String)] = []
    while true {
      skipSpace()
      guard offset < bytes.count else { throw Fault(reason: "ends inside a tag") }
      if bytes[offset] == UInt8(ascii: ">") || bytes[offset] == UInt8(ascii: "/") { break }
      try countPart()
      let name = try token()
      let value = try attributeValue()
      if name.hasPrefix("xmlns:") {
        prefixes[String(name.dropFirst(6))] = value
        guard prefixes.count <= Self.maximumNamespaces else {
          throw Fault(reason: "declares more than \(Self.maximumNamespaces) namespaces")
        }
      } else {
        raw.append((name, value))
      }
    }
    var element = XMLElement(name: Self.resolved(tag, prefixes), attributes: [:])
    for (name, value) in raw { element.attributes[Self.resolved(name, prefixes)] = value }
    if isAt("/>") {
      offset += 2
      return element
    }
    guard bytes[offset] == UInt8(ascii: ">") else { throw Fault(reason: "a tag does not close") }
    offset += 1
    try content(of: &element, tag: tag, prefixes, depth: depth)
    return element
  }

  private mutating func content(
    of element: inout XMLElement, tag: String, _ prefixes: [String: String], depth: Int
  ) throws {
    var text: [UInt8] = []
    while offset < bytes.count {
      guard bytes[offset] == UInt8(ascii: "<") else {
        let end = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        text += bytes[offset..<end]
        offset = end
        continue
      }
      if isAt("</") {
        offset += 2
        let closing = try token()
        guard closing == tag else { throw Fault(reason: "<\(tag)> is closed by </\(closing)>") }
        try skip(through: ">")
        element.text = Self.unescaped(Self.trimmed(text[...]))
        return
      } else if isAt("<!--") {
        try skip(through: "-->")
      } else if isAt("<?") {
        try skip(through: "?>")
      } else {
        element.children.append(try self.element(prefixes, depth: depth + 1))
      }
    }
    throw Fault(reason: "ends inside <\(tag)>")
  }

  private mutating func attributeValue() throws -> String {
    skipSpace()
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "=") else {
      throw Fault(reason: "an attribute has no value")
    }
    offset += 1
    skipSpace()
    guard offset < bytes.count, [0x22, 0x27].contains(bytes[offset]) else {
      throw Fault(reason: "an attribute's value has no quotes")
    }
    let quote = bytes[offset]
    let start = offset + 1
    guard let end = bytes[start...].firstIndex(of: quote) else {
      throw Fault(reason: "an attribute's value does not end")
    }
    offset = end + 1
    return Self.unescaped(bytes[start..<end])
  }

  private static func resolved(_ name: String, _ prefixes: [String: String]) -> XMLElement.Name {
    guard let colon = name.firstIndex(of: ":") else { return .init("", name) }
    let prefix = String(name[..<colon])
    // RDF is often extracted from its XMP packet without declarations. An unknown prefix is then used as the
    // namespace.
    return .init(prefixes[prefix] ?? prefix, String(name[name.index(after: colon)...]))
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return [] }
    return bytes[first...last]
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.contains(UInt8(ascii: "&")) else { return text }
    let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[rest.index(after: start)...]
      guard let end = rest.prefix(12).firstIndex(of: ";") else {
        result += "&"
        continue
      }
      let name = rest[..<end]
      let number =
        name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16)
        : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
      if let character = number.flatMap(Unicode.Scalar.init) {
        result.unicodeScalars.append(character)
      } else {
        result += known[String(name)] ?? "&\(name);"
      }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
