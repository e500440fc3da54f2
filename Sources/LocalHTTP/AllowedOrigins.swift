/// The origins of other sites whose pages may call a server.
///
/// Requests from these pages authenticate with the `Authorization` header. Cookies and other credentials that a browser
/// adds itself are never allowed.
///
/// > Source: WHATWG, “Fetch,” section 3.3, “CORS protocol.”
package struct AllowedOrigins: Sendable {
  private let origins: Set<String>

  /// - Parameter origins: Origins as browsers send them, `https://photos.example.com`, in any case.
  package init(_ origins: [String] = []) { self.origins = Set(origins.map(\.lowercasedASCII)) }

  func contains(_ origin: String) -> Bool { origins.contains(origin.lowercasedASCII) }

  /// CORS headers that let the requesting page read any response, including errors.
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

  /// The response to a CORS preflight request; `nil` for any other request.
  ///
  /// - Parameter methods: The methods that the route supports.
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
    // This header marks a call from an internet page to a server on the local network.
    if head.headers["access-control-request-private-network"] == "true" {
      answer.headers.append(("Access-Control-Allow-Private-Network", "true"))
    }
    return answer
  }
}
