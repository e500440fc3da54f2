import LocalHTTP

/// The access rules for requests: the accepted hosts, and a token.
struct ServiceAccess: Sendable {
  let hosts: ServedHosts
  /// The secret that requests for work must contain; `nil` if no secret is required.
  let token: String?

  /// - Throws: `HTTPRefusal` with status 401.
  func checkToken(_ head: HTTPRequestHead) throws(HTTPRefusal) {
    guard let token else { return }
    // The scheme is case-insensitive, but the secret is case-sensitive; RFC 9110, section 11.1.
    let words = (head.headers["authorization"] ?? "").split(separator: " ").map(String.init)
    guard words.count == 2, words[0].lowercasedASCII == "bearer",
      Self.isEqual(Array(words[1].utf8), Array(token.utf8))
    else {
      throw HTTPRefusal(
        .unauthorized, "expected 'Authorization: Bearer' with the server's token",
        header: .init("WWW-Authenticate", "Bearer"))
    }
  }

  /// Compares two tokens in time that does not depend on the number of equal bytes.
  private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
