/// A complete response.
package struct HTTPResponse: Sendable {
  package var status: HTTPStatus
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  /// - Parameter type: The media type of the body.
  package init(
    _ status: HTTPStatus = .ok, type: String, _ body: [UInt8],
    headers: [(name: String, value: String)] = []
  ) {
    self.status = status
    self.headers = [("Content-Type", type)] + headers
    self.body = body
  }

  /// A success without content.
  package static var empty: HTTPResponse {
    var response = HTTPResponse(.noContent, type: "", [])
    response.headers = []
    return response
  }

  /// An error as JSON: `{"error": "…"}`.
  package init(_ status: HTTPStatus, error: String) {
    self.init(
      status, type: "application/json", Array("{\"error\":\(Self.quoted(error))}\n".utf8),
      headers: status == .unavailable ? [("Retry-After", "1")] : [])
  }

  /// The response to a rejected request.
  package init(_ refusal: HTTPRefusal) {
    self.init(refusal.status, error: refusal.reason)
    if let header = refusal.header { headers.append((header.name, header.value)) }
  }

  /// The status line and the headers, followed by an empty line.
  ///
  /// - Parameters:
  ///   - length: Bytes of the body; `nil` if the body ends with the connection.
  ///   - keepsAlive: Whether the connection stays open for another request.
  func head(length: Int?, keepsAlive: Bool) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status.rawValue) \(status.phrase)"]
    lines += headers.map { "\($0.name): \($0.value)" }
    // Forbids other sites to read responses, and browsers to guess other types.
    lines += [
      "X-Content-Type-Options: nosniff", "Cross-Origin-Resource-Policy: same-origin",
      "Referrer-Policy: no-referrer",
    ]
    if !headers.contains(where: { $0.name == "Cache-Control" }) {
      lines.append("Cache-Control: no-store")
    }
    // RFC 9110, 8.6: a response without content has no Content-Length.
    if let length, status != .noContent { lines.append("Content-Length: \(length)") }
    lines.append("Connection: \(keepsAlive ? "keep-alive" : "close")")
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// The text as a JSON string.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
