import Foundation
import LocalHTTP
import Testing

@Suite struct HTTPResponseTests {
  @Test(arguments: ["plain", "\"quoted\" \\", "\u{0}\u{1F}\u{7F}\n", "µ ✓"])
  func quotedTextIsJSON(text: String) throws {
    let bytes = Data("[\(HTTPResponse.quoted(text))]".utf8)
    #expect(try JSONDecoder().decode([String].self, from: bytes) == [text])
  }

  @Test func busyServersSayWhenToComeBack() {
    let busy = HTTPResponse(.unavailable, error: "busy")
    #expect(busy.headers.contains { $0.name == "Retry-After" && $0.value == "1" })
    #expect(!HTTPResponse(.notFound, error: "none").headers.contains { $0.name == "Retry-After" })
  }
}
