/// Reads JSON from left to right.
struct JSONScanner {
  /// Objects and lists inside one another, at most.
  private static let deepest = 64

  private let bytes: [UInt8]
  private var place = 0

  /// - Parameter bytes: Valid UTF-8.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// An error at the current byte.
  func fault(_ expected: String) -> JSONFault {
    JSONFault(
      isAtEnd
        ? "the line ends, expected \(expected)" : "byte \(place + 1) is not \(expected)")
  }

  mutating func skipSpaces() {
    while let byte = next, [0x20, 0x09, 0x0D, 0x0A].contains(byte) { place += 1 }
  }

  /// Steps over one byte.
  private mutating func take(_ character: Unicode.Scalar) throws(JSONFault) {
    guard next == UInt8(ascii: character) else { throw fault("'\(character)'") }
    place += 1
  }

  private mutating func takes(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  /// The members of an object, from its brace on.
  mutating func members(depth: Int = 1) throws(JSONFault) -> [JSONObjectLine.Member] {
    guard depth <= Self.deepest else {
      throw JSONFault("objects and lists are nested more than \(Self.deepest) deep")
    }
    guard takes("{") else { throw fault("the '{' of an object") }
    skipSpaces()
    if takes("}") { return [] }
    var members: [JSONObjectLine.Member] = []
    while true {
      let key = try string()
      skipSpaces()
      try take(":")
      skipSpaces()
      let start = place
      let value = try value(depth: depth)
      members.append(
        .init(
          key: key, value: value, text: String(decoding: bytes[start..<place], as: UTF8.self)))
      skipSpaces()
      if takes("}") { return members }
      try take(",")
      skipSpaces()
    }
  }

  private mutating func value(depth: Int) throws(JSONFault) -> JSONObjectLine.Value {
    switch next.map(Unicode.Scalar.init) {
    case "{":
      _ = try members(depth: depth + 1)
      return .object
    case "[":
      try list(depth: depth + 1)
      return .array
    case "\"": return .string(try string())
    case "t": return try word("true", .bool(true))
    case "f": return try word("false", .bool(false))
    case "n": return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func list(depth: Int) throws(JSONFault) {
    guard depth <= Self.deepest else {
      throw JSONFault("objects and lists are nested more than \(Self.deepest) deep")
    }
    try take("[")
    skipSpaces()
    if takes("]") { return }
    while true {
      _ = try value(depth: depth)
      skipSpaces()
      if takes("]") { return }
      try take(",")
      skipSpaces()
    }
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONObjectLine.Value
  ) throws(JSONFault) -> JSONObjectLine.Value {
    guard bytes[place...].starts(with: "\(word)".utf8) else { throw fault("a value") }
    place += word.utf8CodeUnitCount
    return value
  }

  private mutating func number() throws(JSONFault) -> String {
    let start = place
    let isNegative = takes("-")
    if !takes("0") { try digits(isNegative ? "a digit" : "a value") }
    if takes(".") { try digits("a digit") }
    if takes("e") || takes("E") {
      if !takes("+") { _ = takes("-") }
      try digits("a digit")
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func digits(_ expected: String) throws(JSONFault) {
    let start = place
    while let byte = next, (0x30...0x39).contains(byte) { place += 1 }
    if place == start { throw fault(expected) }
  }

  private mutating func string() throws(JSONFault) -> String {
    try take("\"")
    var text: [UInt8] = []
    while let byte = next {
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += try escape()
      case 0..<0x20:
        place -= 1
        throw fault("a character of a string")
      default: text.append(byte)
      }
    }
    throw fault("the '\"' of a string")
  }

  /// The UTF-8 of an escape, from behind its backslash on.
  private mutating func escape() throws(JSONFault) -> [UInt8] {
    guard let byte = next else { throw fault("an escape") }
    place += 1
    switch Unicode.Scalar(byte) {
    case "\"", "\\", "/": return [byte]
    case "b": return [0x08]
    case "f": return [0x0C]
    case "n": return [0x0A]
    case "r": return [0x0D]
    case "t": return [0x09]
    case "u":
      var code = try unit()
      // A pair of surrogates is one scalar (RFC 8259, section 7).
      if (0xD800..<0xDC00).contains(code), takes("\\"), takes("u") {
        let low = try unit()
        guard (0xDC00..<0xE000).contains(low) else { throw fault("a pair of surrogates") }
        code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw fault("a pair of surrogates") }
      return Array(String(Character(scalar)).utf8)
    default:
      place -= 1
      throw fault("an escape")
    }
  }

  /// Four hexadecimal digits.
  private mutating func unit() throws(JSONFault) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
        byte < 0x80
      else { throw fault("four hexadecimal digits") }
      code = code << 4 | UInt32(digit)
      place += 1
    }
    return code
  }
}
