/// A request as a value. The command line, HTTP, films, streams and records share this type.
///
/// Fields are values with defaults, or nested requests. The fields of nested requests count as fields of the request.
protocol Request: Codable, Hashable, Sendable {
  /// All fields at their defaults.
  init()

  /// Checks the rules of single fields, and the rules between fields.
  ///
  /// - Throws: ``InvalidRequest``.
  func check() throws(InvalidRequest)
}

extension Request {
  func check() throws(InvalidRequest) {}

  /// The request, if it is valid.
  ///
  /// - Throws: ``InvalidRequest``.
  func checked() throws(InvalidRequest) -> Self {
    try check()
    return self
  }

  /// All fields, including those of nested requests.
  static var fields: [RequestField] { RequestField.all(of: Self()) }

  /// Names of the fields that differ from their defaults.
  var givenFields: [String] {
    // Reflection of a new type takes a millisecond, and is skipped for a default request.
    guard self != Self() else { return [] }
    return zip(RequestField.all(of: self), Self.fields).filter { $0.value != $1.value }.map(
      \.0.name)
  }
}

struct RequestField {
  /// The name in Swift, such as `focalLength`.
  let name: String
  /// The type of the values, without `Optional`.
  let type: Any.Type
  /// The field's value; the default value for elements of ``Request/fields``.
  let value: AnyHashable

  static func all(of request: any Request) -> [RequestField] {
    Mirror(reflecting: request).children.flatMap { name, value -> [RequestField] in
      if let inner = value as? any Request { return all(of: inner) }
      guard let name, let hashable = value as? AnyHashable else {
        preconditionFailure("a request's fields are hashable")
      }
      let kind = Swift.type(of: value)
      let wrapped = (kind as? any OptionalType.Type)?.wrapped ?? kind
      return [RequestField(name: name, type: wrapped, value: hashable)]
    }
  }
}

private protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}

/// An invalid request: an error in one field or in a combination of fields.
///
/// The message contains names of fields between backticks. Each front end replaces a name with its own spelling:
/// `focalLength`, `--focal-length` or `focal-length`.
struct InvalidRequest: Error, Hashable, Sendable, CustomStringConvertible {
  private let parts: [Substring]

  init(_ message: String) {
    parts = message.split(separator: "`", omittingEmptySubsequences: false)
  }

  /// The message in a front end's spelling.
  ///
  /// - Parameter name: Spells a field.
  func text(_ name: (_ field: String) -> String) -> String {
    parts.enumerated().map { $0.isMultiple(of: 2) ? String($1) : name(String($1)) }.joined()
  }

  /// The fields named in the message.
  var fields: [String] {
    parts.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }

  var description: String { text(\.self) }
}

extension Request {
  /// Rejects a value outside its range.
  ///
  /// - Parameters:
  ///   - value: The value; `nil` if it was not given.
  ///   - unit: The unit, which follows the range in the message.
  /// - Throws: ``InvalidRequest``, also for NaN.
  func check<Value: Comparable>(
    _ field: String, _ value: Value?, in range: ClosedRange<Value>, unit: String = ""
  ) throws(InvalidRequest) {
    if let fault = rangeFault(value, in: range, unit: unit) {
      throw InvalidRequest("`\(field)` is \(fault)")
    }
  }

  /// Rejects two fields that exclude each other.
  ///
  /// - Parameter fields: The two names, each with whether the field is given.
  func checkExclusive(_ fields: KeyValuePairs<String, Bool>) throws(InvalidRequest) {
    guard fields.allSatisfy(\.value) else { return }
    let names = fields.map { "`\($0.key)`" }.joined(separator: " and ")
    throw InvalidRequest("\(names) exclude each other, expected one")
  }

  /// Rejects fields that require another setting.
  ///
  /// - Parameters:
  ///   - fields: Names of the given fields.
  ///   - needed: The setting that the fields require.
  /// - Throws: ``InvalidRequest`` for the first of the fields.
  func refuse(_ fields: [String], needing needed: String) throws(InvalidRequest) {
    guard let field = fields.first else { return }
    throw InvalidRequest("`\(field)` requires \(needed)")
  }

  /// Rejects given fields that require another setting. Each name has a flag for whether the field is given.
  func refuse(
    _ fields: KeyValuePairs<String, Bool>, needing needed: String
  ) throws(InvalidRequest) {
    try refuse(fields.filter(\.value).map(\.key), needing: needed)
  }
}

/// A message such as "200, expected 1 to 179 degrees"; `nil` for a value in its range or for no value. NaN is outside
/// every range.
func rangeFault<Value: Comparable>(
  _ value: Value?, in range: ClosedRange<Value>, unit: String
) -> String? {
  guard let value, !range.contains(value) else { return nil }
  func text(_ bound: Value) -> String {
    let text = "\(bound)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
  return "\(value), expected \(text(range.lowerBound)) to \(text(range.upperBound))"
    + (unit.isEmpty ? "" : " \(unit)")
}

/// The user-facing spelling of a field: words between dashes, `focal-length` for `focalLength`, `16-bit` for `is16Bit`.
func dashed(_ field: String) -> String {
  let words = field.hasPrefix("is") ? field.dropFirst(2) : field[...]
  return words.reduce(into: "") { text, letter in
    if letter.isUppercase, !text.isEmpty { text.append("-") }
    text += letter.lowercased()
  }
}
