import LocalHTTP
import Testing

@Suite struct HTTPRequestHeadTests {
  private func head(_ text: String) throws(HTTPRefusal) -> HTTPRequestHead {
    try HTTPRequestHead(parsing: Array(text.replacing("\n", with: "\r\n").utf8))
  }

  @Test("method, path, query and headers of a request are decoded") func partsAreRead() throws {
    let head = try head(
      "POST /v1/eff%65ct?focus=1.8m&radius=1%25&name=a+b&empty HTTP/1.1\nHost: h:1\nX-A:  b \nx-a: c\n"
    )
    #expect(head.method == "POST" && head.path == "/v1/effect" && head.keepsAlive)
    #expect(head.query.map(\.name) == ["focus", "radius", "name", "empty"])
    #expect(head.query.map(\.value) == ["1.8m", "1%", "a b", ""])
    #expect(head.headers == ["host": "h:1", "x-a": "b, c"])
    #expect(try head.body == .bytes(0))
  }

  @Test("lines of a head may end in line feeds alone") func linesMayEndInLineFeedsAlone() throws {
    let head = try HTTPRequestHead(parsing: Array("GET / HTTP/1.1\nHost: h\nA: b\n".utf8))
    #expect(head.headers == ["host": "h", "a": "b"])
  }

  @Test("a Close header or HTTP/1.0 ends the connection")
  func connectionsEndWhereTheClientSaysSo() throws {
    #expect(try !head("GET / HTTP/1.1\nHost: h\nConnection: Close\n").keepsAlive)
    #expect(try !head("GET / HTTP/1.1\nHost: h\nConnection: TE, close\n").keepsAlive)
    #expect(try !head("GET / HTTP/1.0\n").keepsAlive)
  }

  @Test(
    "an ambiguous or invalid head is refused",
    arguments: [
      ("", HTTPStatus.badRequest), ("GET /\n", .badRequest),
      ("GET  / HTTP/1.1\nHost: h\n", .badRequest),
      ("GET x HTTP/1.1\nHost: h\n", .badRequest), ("GET /a b HTTP/1.1\nHost: h\n", .badRequest),
      ("GET /é HTTP/1.1\nHost: h\n", .badRequest), ("G(T / HTTP/1.1\nHost: h\n", .badRequest),
      ("GET / HTTP/2.0\nHost: h\n", .versionNotSupported),
      ("GET / HTTP/1.1\nHost: h:+80\n", .badRequest),
      ("GET / HTTP/1.1\nHost: h:8 0\n", .badRequest),
      ("GET / HTTP/1.1\nHost: [::1]:+80\n", .badRequest),
      ("GET http://h:+80/ HTTP/1.1\nHost: h\n", .badRequest),
      ("GET / HTTP/1.1\nHost: 127.0.0.1:8080@evil.example\n", .badRequest),
      ("GET / HTTP/1.1\nHost: h\nHost: h\n", .badRequest),
      ("GET / HTTP/1.1\nHost: h\nOrigin: http://h\nOrigin: http://h\n", .badRequest),
      ("GET / HTTP/1.1\nHost : h\n", .badRequest),
      ("GET / HTTP/1.1\nHost: h\n folded\n", .badRequest),
      ("GET / HTTP/1.1\nHost: h\n: b\n", .badRequest),
      ("GET / HTTP/1.1\nHost: h\na: \u{1}\n", .badRequest),
      ("GET /%zz HTTP/1.1\nHost: h\n", .badRequest),
      ("GET /%0a HTTP/1.1\nHost: h\n", .badRequest),
      ("GET /?a=%ff HTTP/1.1\nHost: h\n", .badRequest),
      ("GET / HTTP/1.1\nHost: h\n" + String(repeating: "a: b\n", count: 101), .headersTooLarge),
    ])
  func ambiguousHeadsAreRefused(text: String, status: HTTPStatus) {
    let refusal = #expect(throws: HTTPRefusal.self) { try head(text) }
    #expect(refusal?.status == status, "\(text)")
  }

  @Test(
    "a body needs one length or plain chunks",
    arguments: [
      ("Content-Length: 12", .bytes(12), nil), ("Content-Length: +1", nil, .badRequest),
      ("Content-Length: 1, 1", nil, .badRequest), ("Content-Length:", nil, .badRequest),
      ("Content-Length: 99999999999999999999", nil, .badRequest),
      ("Transfer-Encoding: chunked", .chunks, nil), ("transfer-encoding:  Chunked ", .chunks, nil),
      ("Transfer-Encoding: chunked\nContent-Length: 1", nil, .badRequest),
      ("Content-Length: 0\nTransfer-Encoding: chunked", nil, .badRequest),
      ("Transfer-Encoding: gzip, chunked", nil, .notImplemented),
      ("Transfer-Encoding: chunked, chunked", nil, .notImplemented),
      ("Transfer-Encoding: identity", nil, .notImplemented),
      ("Transfer-Encoding:", nil, .notImplemented),
      // The Kelvin sign, which becomes a k in lower case.
      ("Transfer-Encoding: chun\u{212A}ed", nil, .badRequest),
      ("Content-Length: 3\nContent-Encoding: gzip", nil, .unsupportedMediaType),
      ("Transfer-Encoding: chunked\nContent-Encoding: br", nil, .unsupportedMediaType),
      ("Content-Length: 3\nContent-Encoding: Identity", .bytes(3), nil),
      ("Content-Length: 0\nContent-Encoding: gzip", .bytes(0), nil),
    ] as [(String, HTTPRequestHead.Body?, HTTPStatus?)])
  func theEndOfABodyIsFoundInOneWay(
    header: String, body: HTTPRequestHead.Body?, status: HTTPStatus?
  ) throws {
    let head = try head("POST / HTTP/1.1\nHost: h\n\(header)\n")
    if let body {
      #expect(try head.body == body)
    } else {
      let refusal = #expect(throws: HTTPRefusal.self) { try head.body }
      #expect(refusal?.status == status)
    }
  }

  @Test("chunks in HTTP/1.0 are refused") func oldClientsHaveNoChunks() throws {
    let head = try head("POST / HTTP/1.0\nTransfer-Encoding: chunked\n")
    #expect(#expect(throws: HTTPRefusal.self) { try head.body }?.status == .badRequest)
  }
}
