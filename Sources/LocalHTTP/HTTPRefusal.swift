/// A rejection of a request before any work, with its status and reason.
package struct HTTPRefusal: Error, Equatable {
  package let status: HTTPStatus
  package let reason: String
  /// A header that the status requires, such as `Allow`.
  package let header: Header?

  package struct Header: Sendable, Equatable {
    package let name, value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  package init(_ status: HTTPStatus, _ reason: String, header: Header? = nil) {
    (self.status, self.reason, self.header) = (status, reason, header)
  }
}
