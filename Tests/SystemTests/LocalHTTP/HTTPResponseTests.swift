import Foundation
import Testing

@testable import LocalHTTP

@Suite struct HTTPResponseTests {
  @Test(
    "quoted text is a JSON string of the same text",
    arguments: ["plain", "\"quoted\" \\", "\u{0}\u{1F}\u{7F}\n", "µ ✓"])
  func quotedTextIsJSON(text: String) throws {
    let bytes = Data("[\(HTTPResponse.quoted(text))]".utf8)
    #expect(try JSONDecoder().decode([String].self, from: bytes) == [text])
  }

  @Test("only a busy answer says when to try again") func busyServersSayWhenToComeBack() {
    let busy = HTTPResponse(.unavailable, error: "busy")
    #expect(busy.headers.contains { $0.name == "Retry-After" && $0.value == "1" })
    #expect(!HTTPResponse(.notFound, error: "none").headers.contains { $0.name == "Retry-After" })
  }

  /// > Source: RFC 9110, section 8.6: status 204 has no Content-Length.
  @Test(
    "a head states a known Content-Length",
    arguments: [
      (HTTPStatus.noContent, 0, nil), (.ok, 0, "Content-Length: 0"),
      (.ok, 12, "Content-Length: 12"),
      (.notFound, 7, "Content-Length: 7"), (.ok, nil, nil),
    ] as [(HTTPStatus, Int?, String?)])
  func theHeadSaysTheLengthOfContent(status: HTTPStatus, length: Int?, line: String?) {
    var response = HTTPResponse(type: "text/plain", [])
    response.status = status
    let head = String(decoding: response.head(length: length, keepsAlive: true), as: UTF8.self)
    let found = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length") }
    #expect(found.map(String.init) == line)
  }
}
