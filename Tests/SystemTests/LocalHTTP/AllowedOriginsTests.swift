import LocalHTTP
import Testing

/// Pages of other origins that a server allows.
@Suite struct AllowedOriginsTests {
  private let origins = AllowedOrigins(["https://Photos.example", "http://localhost:3000"])

  private func head(_ method: String, _ headers: [String]) throws -> HTTPRequestHead {
    let lines = ["\(method) /v1/depth HTTP/1.1", "Host: 127.0.0.1:8080"] + headers
    return try HTTPRequestHead(parsing: Array(lines.map { "\($0)\r\n" }.joined().utf8))
  }

  @Test(
    "an answer names only an allowed origin",
    arguments: [
      ("https://photos.example", true), ("http://localhost:3000", true),
      ("http://photos.example", false), ("https://photos.example:444", false),
      ("https://evil.example", false), ("null", false), ("*", false),
    ])
  func headersNameTheOrigin(origin: String, isAllowed: Bool) throws {
    let headers = origins.headers(for: try head("POST", ["Origin: \(origin)"]))
    let allowed = headers.filter { $0.name == "Access-Control-Allow-Origin" }.map(\.value)
    #expect(allowed == (isAllowed ? [origin] : []))
    #expect(headers.contains(.init("Vary", "Origin")))
    #expect(!headers.contains { $0.name == "Access-Control-Allow-Credentials" })
    #expect(AllowedOrigins().headers(for: try head("POST", ["Origin: \(origin)"])).isEmpty)
  }

  @Test("only preflights of allowed origins are answered")
  func preflightsOfAllowedOriginsAreAnswered() throws {
    let asked = ["Origin: https://photos.example", "Access-Control-Request-Method: POST"]
    let answer = try #require(origins.preflight(try head("OPTIONS", asked), methods: ["POST"]))
    #expect(answer.status == .noContent && answer.body.isEmpty)
    func value(_ name: String, of answer: HTTPResponse) -> String? {
      answer.headers.first { $0.name == name }?.value
    }
    #expect(value("Access-Control-Allow-Methods", of: answer) == "POST")
    #expect(
      value("Access-Control-Allow-Headers", of: answer) == "Accept, Authorization, Content-Type")
    #expect(value("Access-Control-Allow-Private-Network", of: answer) == nil)
    let local = asked + ["Access-Control-Request-Private-Network: true"]
    let other = try #require(origins.preflight(try head("OPTIONS", local), methods: ["POST"]))
    #expect(value("Access-Control-Allow-Private-Network", of: other) == "true")
    for (method, headers) in [
      ("POST", asked), ("OPTIONS", [asked[0]]), ("OPTIONS", [asked[1]]),
      ("OPTIONS", ["Origin: https://evil.example", asked[1]]),
    ] {
      #expect(origins.preflight(try head(method, headers), methods: ["POST"]) == nil)
    }
  }
}
