import DepthBase

/// One request in progress: what its handler has answered so far, and whether the client still waits.
package final class HTTPExchange: Sendable {
  package let request: HTTPRequest

  struct State: Sendable {
    /// The type and the parts of a body that is sent while it is made.
    var type: String?
    var parts: [[UInt8]] = []
    var response: HTTPResponse?
  }

  let state = Monitor(State())

  init(_ request: HTTPRequest) { self.request = request }

  /// Sends a part of the body before the answer is complete, which then has status 200.
  ///
  /// - Parameter type: The media type of the whole body.
  package func send(_ part: [UInt8], type: String) {
    state.update { state in
      guard state.response == nil else { return }
      state.type = state.type ?? type
      state.parts.append(part)
    }
  }

  func finish(_ response: HTTPResponse) { state.update { $0.response = response } }
}
