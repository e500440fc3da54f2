import LocalHTTP
import Testing

@Suite struct ServedHostsTests {
  private func status(
    of headers: [String], host: String = "127.0.0.1", method: String = "POST",
    path: String = "/v1/depth"
  ) throws -> HTTPStatus? {
    let text = "\(method) \(path) HTTP/1.1\r\n" + headers.map { "\($0)\r\n" }.joined()
    let head = try HTTPRequestHead(parsing: Array(text.utf8))
    do {
      try ServedHosts(host: host, port: 8080).check(head, isPage: path == "/")
      return nil
    } catch { return error.status }
  }

  @Test(
    "only a Host header that names this server is served",
    arguments: [
      ("127.0.0.1", "127.0.0.1:8080", true), ("127.0.0.1", "localhost:8080", true),
      ("127.0.0.1", "[::1]:8080", true), ("127.0.0.1", "LOCALHOST:8080", true),
      ("127.0.0.1", "127.0.0.1", false), ("127.0.0.1", "127.0.0.1:80", false),
      ("127.0.0.1", "evil.example:8080", false),
      ("127.0.0.1", "127.0.0.1.evil.example:8080", false),
      ("127.0.0.1", "127.evil:8080", false), ("127.0.0.1", "localhost.evil.example:8080", false),
      ("127.0.0.1", "192.168.1.5:8080", false), ("127.0.0.1", "127.0.0.1:8080:8080", false),
      ("127.0.0.1", "[::1]x:8080", false),
      ("192.168.1.5", "192.168.1.5:8080", true), ("192.168.1.5", "localhost:8080", false),
      ("0.0.0.0", "192.168.1.5:8080", true), ("0.0.0.0", "evil.example:8080", false),
      ("0.0.0.0", "[fe80::1]:8080", true), ("0.0.0.0", "1.2.3.400:8080", false),
    ])
  func onlyNamesOfTheServerAreServed(host: String, header: String, isServed: Bool) throws {
    #expect(try status(of: ["Host: \(header)"], host: host) == (isServed ? nil : .misdirected))
  }

  /// A health check may not know the server's name.
  @Test("a request without Host is served if no host is needed")
  func onlySomeRequestsMayNameNoHost() throws {
    let hosts = ServedHosts(host: "127.0.0.1", port: 8080)
    for (version, status) in [("1.1", HTTPStatus.badRequest), ("1.0", .misdirected)] {
      let head = try HTTPRequestHead(parsing: Array("GET / HTTP/\(version)\r\n".utf8))
      #expect(
        #expect(throws: HTTPRefusal.self) { try hosts.check(head, isPage: false) }?.status == status
      )
      #expect(throws: Never.self) { try hosts.check(head, isPage: false, needsHost: false) }
    }
    let other = try HTTPRequestHead(parsing: Array("GET / HTTP/1.1\r\nHost: evil.example\r\n".utf8))
    #expect(throws: HTTPRefusal.self) { try hosts.check(other, isPage: false, needsHost: false) }
  }

  @Test("requests from pages of other sites are refused")
  func pagesOfOtherSitesAreRefused() throws {
    let host = "Host: 127.0.0.1:8080"
    #expect(try status(of: [host, "Origin: http://127.0.0.1:8080"]) == nil)
    #expect(try status(of: [host, "Origin: https://127.0.0.1:8080"]) == .forbidden)
    #expect(try status(of: [host, "Origin: http://evil.example"]) == .forbidden)
    #expect(try status(of: [host, "Origin: null"]) == .forbidden)
    #expect(try status(of: [host, "Sec-Fetch-Site: same-origin"]) == nil)
    #expect(try status(of: [host, "Sec-Fetch-Site: none"]) == nil)
    #expect(try status(of: [host, "Sec-Fetch-Site: same-site"]) == .forbidden)
    // A link on another page may lead to this page.
    let link = [host, "Sec-Fetch-Site: cross-site"]
    #expect(try status(of: link, method: "GET", path: "/") == nil)
    #expect(try status(of: link, method: "GET", path: "/healthz") == .forbidden)
  }

  /// A proxy changes the host's name, but the browser still calls the request same-origin.
  @Test("a same-origin page is served behind a proxy")
  func sameOriginIsServedBehindAProxy() throws {
    let proxied = ["Host: 127.0.0.1:8080", "Origin: https://photos.example"]
    #expect(try status(of: proxied) == .forbidden)
    #expect(try status(of: proxied + ["Sec-Fetch-Site: same-origin"]) == nil)
    #expect(try status(of: proxied + ["Sec-Fetch-Site: same-site"]) == .forbidden)
    let rebound = ["Host: evil.example:8080", "Sec-Fetch-Site: same-origin"]
    #expect(try status(of: rebound) == .misdirected)
  }

  @Test("only pages of allowed origins are served") func pagesOfAllowedOriginsAreServed() throws {
    let hosts = ServedHosts(
      host: "127.0.0.1", port: 8080, origins: AllowedOrigins(["https://photos.example"]))
    func status(_ headers: [String]) throws -> HTTPStatus? {
      let lines = ["POST /v1/depth HTTP/1.1"] + headers + ["Sec-Fetch-Site: cross-site"]
      let head = try HTTPRequestHead(parsing: Array(lines.map { "\($0)\r\n" }.joined().utf8))
      do {
        try hosts.check(head, isPage: false)
        return nil
      } catch { return error.status }
    }
    #expect(try status(["Host: 127.0.0.1:8080", "Origin: https://photos.example"]) == nil)
    #expect(try status(["Host: 127.0.0.1:8080", "Origin: https://x.photos.example"]) == .forbidden)
    #expect(try status(["Host: 127.0.0.1:8080"]) == .forbidden)
    #expect(try status(["Host: evil.example", "Origin: https://photos.example"]) == .misdirected)
  }

  @Test("only localhost, 127.x.x.x and ::1 are loopback") func loopbackIsThisMachine() {
    for host in ["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"] {
      #expect(ServedHosts.isLoopback(host), "\(host)")
    }
    for host in ["0.0.0.0", "::", "127.evil", "128.0.0.1", "example.org", ""] {
      #expect(!ServedHosts.isLoopback(host), "\(host)")
    }
  }

  /// A proxy's port differs from this server's port.
  @Test("an added host is served at any port") func hostsThatWereAllowedHaveAnyPort() throws {
    let hosts = ServedHosts(host: "127.0.0.1", port: 8080, others: ["Photos.example"])
    func status(_ headers: String) throws -> HTTPStatus? {
      let head = try HTTPRequestHead(parsing: Array("POST /v1/depth HTTP/1.1\r\n\(headers)".utf8))
      do {
        try hosts.check(head, isPage: false)
        return nil
      } catch { return error.status }
    }
    for host in ["photos.example", "photos.example:443", "PHOTOS.example:8080"] {
      #expect(try status("Host: \(host)\r\n") == nil, "\(host)")
      #expect(try status("Host: \(host)\r\nOrigin: https://\(host)\r\n") == nil, "\(host)")
    }
    for host in ["photos.example:", "photos.example:99999999999999999999", "x.photos.example"] {
      #expect(try status("Host: \(host)\r\n") == .misdirected, "\(host)")
    }
  }
}
