/// What is asked for, as a value: the command line, HTTP, films, streams and records hold the same ones.
///
/// A request's fields are values with a default, or requests themselves, whose fields count as its own.
package protocol Request: Codable, Hashable, Sendable {
  /// All fields at their defaults.
  init()

  /// The rules of its fields, and those between them.
  ///
  /// - Throws: ``InvalidRequest``.
  func check() throws(InvalidRequest)
}

extension Request {
  package func check() throws(InvalidRequest) {}

  /// The request, if it can be done.
  ///
  /// - Throws: ``InvalidRequest``.
  package func checked() throws(InvalidRequest) -> Self {
    try check()
    return self
  }

  /// All fields, those of requests inside in their places.
  package static var fields: [RequestField] { RequestField.all(of: Self()) }

  /// Names of the fields that differ from their defaults.
  package var givenFields: [String] {
    // Reflection takes a millisecond for a type that it has not seen.
    guard self != Self() else { return [] }
    return zip(RequestField.all(of: self), Self.fields).filter { $0.value != $1.value }.map(
      \.0.name)
  }
}

/// A field of a request.
package struct RequestField {
  /// As Swift has it, such as `focalLength`.
  package let name: String
  /// The type of its values, without `Optional`.
  package let type: Any.Type
  /// Its value; for fields of ``Request/fields`` its default.
  package let value: AnyHashable

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
