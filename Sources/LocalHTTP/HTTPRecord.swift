/// A request that is over, for a log.
package struct HTTPRecord: Sendable, Equatable {
  /// The client's numeric address; empty where there is none.
  package let address: String
  /// Method and decoded path, without parameters: `POST /v1/depth`; `nil` where the head was not read.
  package let request: String?
  /// `nil` where no answer was begun.
  package let status: HTTPStatus?
  /// Bytes of the answer's body that were sent.
  package let bytes: Int
  /// From the first byte of the request to the last one of the answer.
  package let time: Duration
  /// Whether the connection ended before the answer did.
  package let isCut: Bool

  package init(
    address: String, request: String?, status: HTTPStatus?, bytes: Int, time: Duration, isCut: Bool
  ) {
    (self.address, self.request, self.status) = (address, request, status)
    (self.bytes, self.time, self.isCut) = (bytes, time, isCut)
  }
}
