/// A finished request, for a log.
package struct HTTPRecord: Sendable, Equatable {
  /// The client's numeric address; empty if there is none.
  package let address: String
  /// Method and decoded path, without parameters: `POST /v1/depth`; `nil` if the head was not read.
  package let request: String?
  /// The status; `nil` if no response was begun.
  package let status: HTTPStatus?
  /// Sent bytes of the response's body.
  package let bytes: Int
  /// Duration from the request's first byte to the response's last byte.
  package let time: Duration
  /// Whether the connection ended before the response was complete.
  package let isCut: Bool

  package init(
    address: String, request: String?, status: HTTPStatus?, bytes: Int, time: Duration, isCut: Bool
  ) {
    (self.address, self.request, self.status) = (address, request, status)
    (self.bytes, self.time, self.isCut) = (bytes, time, isCut)
  }
}
