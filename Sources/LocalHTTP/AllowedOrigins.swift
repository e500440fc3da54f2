/// Pages of other origins that may call a server.
///
/// They identify themselves by the header `Authorization`. Cookies and passwords that a browser adds on its own are never
/// allowed.
///
/// > Source: WHATWG, “Fetch,” section 3.3, “CORS protocol.”
package struct AllowedOrigins: Sendable {
  private let origins: Set<String>

  /// - Parameter origins: As browsers send them: `https://photos.example.com`, in any case.
  package init(_ origins: [String] = []) { self.origins = Set(origins.map(\.lowercasedASCII)) }

  func contains(_ origin: String) -> Bool { origins.contains(origin.lowercasedASCII) }

  /// Headers by which a browser lets the page that made a request read any answer to it.
  package func headers(for head: HTTPRequestHead) -> [HTTPRefusal.Header] {
    guard !origins.isEmpty else { return [] }
    let varies = HTTPRefusal.Header("Vary", "Origin")
    guard let origin = head.headers["origin"], contains(origin) else { return [varies] }
    return [
      varies, .init("Access-Control-Allow-Origin", origin),
      .init(
        "Access-Control-Expose-Headers",
        "Depth-Metres, Depth-Source, Focus-Distance, Retry-After, WWW-Authenticate"),
    ]
  }

  /// The answer to a browser that asks whether a page may send a request; `nil` for any other request.
  ///
  /// - Parameter methods: The methods that the address supports.
  package func preflight(_ head: HTTPRequestHead, methods: [String]) -> HTTPResponse? {
    guard head.method == "OPTIONS", head.headers["access-control-request-method"] != nil,
      let origin = head.headers["origin"], contains(origin)
    else { return nil }
    var answer = HTTPResponse.empty
    answer.headers = [
      ("Access-Control-Allow-Methods", methods.joined(separator: ", ")),
      ("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type"),
      ("Access-Control-Max-Age", "600"),
    ]
    // A page of the internet that calls a server of the local network.
    if head.headers["access-control-request-private-network"] == "true" {
      answer.headers.append(("Access-Control-Allow-Private-Network", "true"))
    }
    return answer
  }
}
