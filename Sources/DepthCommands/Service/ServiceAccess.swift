import LocalHTTP

/// Hosts and token that requests have to give.
struct ServiceAccess: Sendable {
  let hosts: ServedHosts
  /// The secret that requests for work bring; `nil` for none.
  let token: String?

  /// - Throws: `HTTPRefusal` with status 401.
  func checkToken(_ head: HTTPRequestHead) throws(HTTPRefusal) {
    guard let token else { return }
    // The scheme's name has no case, the secret has; RFC 9110, section 11.1.
    let words = (head.headers["authorization"] ?? "").split(separator: " ").map(String.init)
    guard words.count == 2, words[0].lowercasedASCII == "bearer",
      Self.isEqual(Array(words[1].utf8), Array(token.utf8))
    else {
      throw HTTPRefusal(
        .unauthorized, "expected 'Authorization: Bearer' with the server's token",
        header: .init("WWW-Authenticate", "Bearer"))
    }
  }

  /// Compares in a time that does not reveal how many bytes are equal.
  private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
