/// The head of a request, without its body.
package struct HTTPRequestHead: Sendable, Equatable {
  package let method: String
  /// The decoded path, `/v1/depth`.
  package let path: String
  /// The decoded parameters after `?`, in order.
  package let query: [Parameter]
  /// The headers, with names in lower case.
  package let headers: [String: String]
  /// Whether the connection may stay open for another request.
  package let keepsAlive: Bool
  /// Whether the client supports interim responses, such as 100; HTTP/1.0 clients do not.
  let takesInterimAnswers: Bool

  package struct Parameter: Sendable, Equatable {
    package let name, value: String
  }

  /// The value of a parameter; the first value if the parameter is repeated.
  package func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// A request with its body.
package struct HTTPRequest: Sendable {
  package let head: HTTPRequestHead
  package let body: [UInt8]

  package init(head: HTTPRequestHead, body: [UInt8]) { (self.head, self.body) = (head, body) }
}
