/// One line of text that holds one JSON object, split into its members.
///
/// Numbers stay text, so that none is rounded or overflows, and each value's own bytes can be repeated. The
/// time is linear in the line's length and nesting is limited: a line from anywhere can be read.
///
/// > Source: T. Bray. "The JavaScript Object Notation (JSON) Data Interchange Format." RFC 8259.
package struct JSONObjectLine: Sendable, Equatable {
  /// A value as the line has it.
  package enum Value: Sendable, Equatable {
    /// A text with escapes resolved.
    case string(String)
    /// A number, as it is written.
    case number(String)
    case bool(Bool)
    case null
    case array
    case object
  }

  /// A key with its value.
  package struct Member: Sendable, Equatable {
    package let key: String
    package let value: Value
    /// The value's own bytes.
    package let text: String
  }

  /// The members in the line's order; no key occurs twice.
  package let members: [Member]

  /// - Parameter line: The line without its line feed.
  /// - Throws: ``JSONFault`` for anything but one object in UTF-8.
  package init(_ line: [UInt8]) throws(JSONFault) {
    guard String(validating: line, as: UTF8.self) != nil else {
      throw JSONFault("the line is not UTF-8, expected a JSON object")
    }
    var scanner = JSONScanner(line)
    scanner.skipSpaces()
    members = try scanner.members()
    scanner.skipSpaces()
    guard scanner.isAtEnd else { throw scanner.fault("the end of the line") }
    var seen: Set<String> = []
    for member in members where !seen.insert(member.key).inserted {
      throw JSONFault("the object has the key '\(member.key)' twice")
    }
  }
}

/// Why a line is not a JSON object.
package struct JSONFault: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
