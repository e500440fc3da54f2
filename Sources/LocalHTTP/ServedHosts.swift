/// The host names and origins that a server accepts, to prevent requests from other sites.
///
/// A page of another site can make a browser send requests to this server. `Origin` reveals a direct request. `Host`
/// reveals a request after the site has mapped its own name to this machine's address (DNS rebinding).
package struct ServedHosts: Sendable {
  private let host: String
  private let port: Int
  /// Further names with any port, such as the name of a proxy or this machine's name in its network.
  private let others: Set<String>
  /// Further origins whose pages may call the server.
  package let origins: AllowedOrigins

  /// - Parameters:
  ///   - host: The host that the server was started for.
  ///   - port: The server's port.
  ///   - others: Further accepted names, in any case.
  ///   - origins: Other origins whose pages may call the server.
  package init(
    host: String, port: Int, others: [String] = [], origins: AllowedOrigins = AllowedOrigins()
  ) {
    (self.host, self.port, self.origins) = (Self.bare(host), port, origins)
    self.others = Set(others.map(Self.bare))
  }

  /// Whether only this machine can reach the host.
  package static func isLoopback(_ host: String) -> Bool {
    let host = bare(host)
    return host == "localhost" || host == "::1" || host.hasPrefix("127.") && isAddress(host)
  }

  /// Rejects a request with another host name, and a request from another site's page.
  ///
  /// - Parameters:
  ///   - isPage: Whether the requested resource is the page, which other sites may link to.
  ///   - needsHost: Whether the request must contain a host. A health check may not know the name, but a browser always
  ///     sends the name.
  /// - Throws: ``HTTPRefusal`` with status 400, 421 or 403.
  package func check(
    _ head: HTTPRequestHead, isPage: Bool, needsHost: Bool = true
  ) throws(HTTPRefusal) {
    let authority = head.headers["host"] ?? ""
    let isNamed = head.headers["host"] != nil
    // HTTP/1.1 requires the header `Host`, and HTTP/1.0 does not; RFC 9112, section 3.2.
    guard isNamed || !needsHost || !head.takesInterimAnswers else {
      throw HTTPRefusal(.badRequest, "no Host header")
    }
    guard isServed(authority) || !isNamed && !needsHost else {
      throw HTTPRefusal(.misdirected, "this server was not started for the host in the request")
    }
    let (origin, site) = (head.headers["origin"], head.headers["sec-fetch-site"])
    if let origin, origins.contains(origin) { return }
    // Pages cannot set this header, only browsers can. If a proxy replaces `Host`, `Origin` does not match `Host`.
    if site == "same-origin" { return }
    if let origin, !isOrigin(origin, of: authority) { throw Self.otherSite }
    // `none` means an action of the user, such as an entered address or a bookmark.
    if let site, site != "none", !(head.method == "GET" && isPage) { throw Self.otherSite }
  }

  private static let otherSite = HTTPRefusal(
    .forbidden, "requests from pages of other sites are refused")

  /// Whether `origin` is this server's own origin. A further name may belong to a proxy with TLS.
  private func isOrigin(_ origin: String, of authority: String) -> Bool {
    if origin == "http://\(authority)" { return true }
    return origin == "https://\(authority)" && others.contains(Self.parts(authority).0)
  }

  private func isServed(_ authority: String) -> Bool {
    let (name, port) = Self.parts(authority)
    if others.contains(name), port != nil { return true }
    guard port == self.port else { return false }
    if name == host || Self.isLoopback(host) && Self.isLoopback(name) { return true }
    // DNS rebinding needs a name, so a server for all addresses accepts every address.
    let isEverywhere = host == "0.0.0.0" || host == "::"
    return isEverywhere && (name == "localhost" || Self.isAddress(name))
  }

  /// Whether the port of a `Host` header, if present, consists of digits; `Int` would also accept `+80`.
  static func hasPlainPort(_ authority: String) -> Bool {
    let name = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority[...]
    guard let colon = name.lastIndex(of: ":") else { return true }
    return name[colon...].dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Name and port of a `Host` header; the default port is 80.
  private static func parts(_ authority: String) -> (String, Int?) {
    let authority = authority.lowercasedASCII
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      let rest = authority[authority.index(after: end)...]
      guard !rest.isEmpty else { return (bare(authority), 80) }
      return (bare(String(authority[...end])), rest.first == ":" ? Int(rest.dropFirst()) : nil)
    }
    let sides = authority.split(separator: ":", omittingEmptySubsequences: false)
    switch sides.count {
    case 1: return (authority, 80)
    case 2: return (String(sides[0]), Int(sides[1]))
    default: return (authority, nil)
    }
  }

  /// A host in lower case, without the brackets of IPv6 addresses in URLs.
  static func bare(_ host: String) -> String {
    let host = host.lowercasedASCII
    return host.hasPrefix("[") && host.hasSuffix("]")
      ? String(host.dropFirst().dropLast()) : host
  }

  /// Whether a host is an IPv4 or IPv6 address.
  private static func isAddress(_ host: String) -> Bool {
    if host.contains(":") { return host.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
