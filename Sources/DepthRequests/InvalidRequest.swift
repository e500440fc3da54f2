/// A request that cannot be done: what is wrong with a field, or with several together.
///
/// In the message the fields' names are between backticks, so that each front end can write them as its users do:
/// `focalLength`, `--focal-length` or `focal-length`.
package struct InvalidRequest: Error, Hashable, Sendable, CustomStringConvertible {
  private let parts: [Substring]

  package init(_ message: String) {
    parts = message.split(separator: "`", omittingEmptySubsequences: false)
  }

  /// The message.
  ///
  /// - Parameter name: How fields are written.
  package func text(_ name: (_ field: String) -> String) -> String {
    parts.enumerated().map { $0.isMultiple(of: 2) ? String($1) : name(String($1)) }.joined()
  }

  /// The fields that the message names.
  package var fields: [String] {
    parts.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }

  package var description: String { text(\.self) }
}

extension Request {
  /// Refuses a value outside its range.
  ///
  /// - Parameters:
  ///   - value: `nil` where it was not given.
  ///   - unit: What follows the range in the message.
  /// - Throws: ``InvalidRequest``; NaN lies in no range.
  func check<Value: Comparable>(
    _ field: String, _ value: Value?, in range: ClosedRange<Value>, unit: String = ""
  ) throws(InvalidRequest) {
    guard let value, !range.contains(value) else { return }
    func text(_ bound: Value) -> String {
      let text = "\(bound)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    throw InvalidRequest(
      "`\(field)` is \(value), expected \(text(range.lowerBound)) to \(text(range.upperBound))\(unit.isEmpty ? "" : " \(unit)")"
    )
  }

  /// Refuses two fields that exclude each other.
  ///
  /// - Parameter fields: The two names, each with whether the field is given.
  func checkExclusive(_ fields: KeyValuePairs<String, Bool>) throws(InvalidRequest) {
    guard fields.allSatisfy(\.value) else { return }
    let names = fields.map { "`\($0.key)`" }.joined(separator: " and ")
    throw InvalidRequest("\(names) exclude each other, expected one")
  }

  /// Refuses fields that have no effect here.
  ///
  /// - Parameters:
  ///   - fields: Names of the given fields.
  ///   - needed: The setting that the fields require.
  /// - Throws: ``InvalidRequest`` for the first of the fields.
  func refuse(_ fields: [String], needing needed: String) throws(InvalidRequest) {
    guard let field = fields.first else { return }
    throw InvalidRequest("`\(field)` requires \(needed)")
  }

  /// The same for fields by name, each with whether it is given.
  func refuse(
    _ fields: KeyValuePairs<String, Bool>, needing needed: String
  ) throws(InvalidRequest) {
    try refuse(fields.filter(\.value).map(\.key), needing: needed)
  }
}

/// A field's name as users write it: words between dashes, `focal-length` for `focalLength` and `16-bit` for `is16Bit`.
package func dashed(_ field: String) -> String {
  let words = field.hasPrefix("is") ? field.dropFirst(2) : field[...]
  return words.reduce(into: "") { text, letter in
    if letter.isUppercase, !text.isEmpty { text.append("-") }
    text += letter.lowercased()
  }
}
