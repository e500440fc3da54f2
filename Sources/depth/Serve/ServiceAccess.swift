import LocalHTTP

/// Who may ask for what.
struct ServiceAccess: Sendable {
  let hosts: ServedHosts
  /// The secret that requests for work bring; `nil` for none.
  let token: String?

  /// - Throws: `HTTPRefusal` with status 401.
  func checkToken(_ head: HTTPRequestHead) throws(HTTPRefusal) {
    guard let token else { return }
    let found = head.headers["authorization"] ?? ""
    guard Self.isEqual(Array(found.utf8), Array("Bearer \(token)".utf8)) else {
      throw HTTPRefusal(.unauthorized, "expected 'Authorization: Bearer' with the server's token")
    }
  }

  /// Compares in a time that does not tell how much is right.
  private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
