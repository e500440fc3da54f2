/// A request whose head has been read: all but its body.
package struct HTTPRequestHead: Sendable, Equatable {
  package let method: String
  /// The decoded path, `/v1/depth`.
  package let path: String
  /// The decoded parameters behind `?`, in their order.
  package let query: [Parameter]
  /// Names in lower case.
  package let headers: [String: String]
  /// Whether the connection may take a further request.
  package let keepsAlive: Bool
  /// Whether the client understands interim answers, such as 100; clients of HTTP/1.0 do not.
  let takesInterimAnswers: Bool

  /// `name=value`.
  package struct Parameter: Sendable, Equatable {
    package let name, value: String
  }

  /// The value of a parameter; the first one if it is repeated.
  package func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// A request with its body.
package struct HTTPRequest: Sendable {
  package let head: HTTPRequestHead
  package let body: [UInt8]

  package init(head: HTTPRequestHead, body: [UInt8]) { (self.head, self.body) = (head, body) }
}
