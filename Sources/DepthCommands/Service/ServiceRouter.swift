import DepthBase
import DepthErrors
import DepthGeometry
import LocalHTTP
import MonocularDepth

/// The routes of the service.
///
/// | route | response |
/// |---|---|
/// | `GET /` | the page |
/// | `GET /example.jpg`, `/armchair.jpg`, `/doorway.jpg` | example photos |
/// | `GET /healthz` | status and weights |
/// | `GET /v1/openapi.json` | OpenAPI description of these routes |
/// | `POST /v1/depth` | photo → depth map |
/// | `POST /v1/normals` | photo → surface normals |
/// | `POST /v1/facts` | photo → facts about its depth map |
/// | `POST /v1/stereo` | photo → stereo photo |
/// | `POST /v1/effect` | photo → picture |
/// | `POST /v1/export` | photo → point cloud, mesh or page |
/// | `POST /v1/photos` | stores a photo and its depth for a page; returns the photo's id |
/// | `GET /v1/photos/ID/depth` | the photo's depth map |
/// | `GET /v1/photos/ID/normals` | the photo's surface normals as a picture |
/// | `GET /v1/photos/ID/confidence` | the confidence of each pixel |
///
/// The routes for stereo and effects accept `?photo=ID` instead of a body.
struct ServiceRouter: Sendable {
  let service: DepthService
  let access: ServiceAccess
  /// The path prefix of all routes, such as `/depth`; empty for none. Requests without the prefix are also
  /// accepted.
  var basePath = ""

  /// The methods and the handler of a route.
  private struct Resource {
    let methods: [String]
    /// Whether requests need the token and count against the queue.
    let isWork: Bool
    let answer: @Sendable (HTTPExchange) throws -> HTTPResponse

    /// A resource that requires no token.
    static func open(_ answer: @escaping @Sendable () throws -> HTTPResponse) -> Resource {
      Resource(methods: ["GET", "HEAD"], isWork: false) { _ in try answer() }
    }

    /// Work that waits in the request queue.
    static func work(
      _ service: DepthService,
      _ answer: @escaping @Sendable (SentRequest, CallContext) throws -> HTTPResponse
    ) -> Resource {
      Resource(methods: ["POST"], isWork: true) { exchange in
        try service.run(exchange) { try answer(SentRequest(exchange, call: $0), $0) }
      }
    }

    static func photo(_ answer: @escaping @Sendable () throws -> HTTPResponse) -> Resource {
      Resource(methods: ["GET"], isWork: true) { _ in try answer() }
    }
  }

  private func resource(at path: String) -> Resource? {
    switch path {
    case "/": return .open(page)
    case "/example.jpg", "/armchair.jpg", "/doorway.jpg":
      return DepthPage.photo(named: String(path.dropFirst())).map { photo in
        .open { HTTPResponse(type: "image/jpeg", photo) }
      }
    case "/healthz": return .open(service.health)
    case "/favicon.ico": return .open { .empty }
    case "/v1/openapi.json":
      return .open { HTTPResponse(type: "application/json", DepthPage.openAPI(under: basePath)) }
    case "/v1/depth": return .work(service, service.depth)
    case "/v1/normals": return .work(service, service.normals)
    case "/v1/facts": return .work(service, service.facts)
    case "/v1/stereo": return .work(service, service.stereo)
    case "/v1/effect": return .work(service, service.effect)
    case "/v1/export": return .work(service, service.export)
    case "/v1/photos": return .work(service, service.keepPhoto)
    default:
      let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 5, parts[1...2] == ["v1", "photos"] else { return nil }
      switch parts[4] {
      case "depth": return .photo { try service.depth(ofPhoto: parts[3]) }
      case "normals":
        return Resource(methods: ["GET"], isWork: true) { exchange in
          try service.run(exchange) { try service.normals(ofPhoto: parts[3], call: $0) }
        }
      case "confidence": return .photo { try service.confidence(ofPhoto: parts[3]) }
      default: return nil
      }
    }
  }

  var handler: HTTPServer.Handler {
    { (head) throws(HTTPRefusal) in
      let path = head.path(under: basePath)
      try access.hosts.check(head, isPage: path == "/", needsHost: path != "/healthz")
      guard let resource = path.isEmpty ? .open(toPage) : resource(at: path) else {
        throw HTTPRefusal(.notFound, "there is nothing at this address")
      }
      if let answer = access.hosts.origins.preflight(head, methods: resource.methods) {
        return HTTPServer.Route(isWork: false) { _ in answer }
      }
      guard resource.methods.contains(head.method) else {
        throw HTTPRefusal(
          .methodNotAllowed, "expected \(resource.methods.joined(separator: " or "))",
          header: .init("Allow", resource.methods.joined(separator: ", ")))
      }
      if resource.isWork { try access.checkToken(head) }
      return HTTPServer.Route(isWork: resource.isWork) { exchange in
        do { return try resource.answer(exchange) } catch { return HTTPResponse(answering: error) }
      }
    }
  }

  /// Redirects to the page's address with a trailing slash, which the page's relative links require.
  @Sendable private func toPage() -> HTTPResponse {
    var answer = HTTPResponse(.permanentRedirect, type: "text/plain", [])
    answer.headers = [("Location", "\(basePath)/")]
    return answer
  }

  @Sendable private func page() -> HTTPResponse {
    let page = DepthPage.served(doubtfulError: DepthEstimate.doubtfulError)
    return HTTPResponse(
      type: "text/html; charset=utf-8", Array(page.html.utf8),
      headers: [
        ("Content-Security-Policy", page.policy), ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
      ])
  }
}

extension HTTPRequestHead {
  /// The path without the prefix `base`, if present.
  fileprivate func path(under base: String) -> String {
    guard !base.isEmpty, path == base || path.hasPrefix("\(base)/") else { return path }
    return String(path.dropFirst(base.count))
  }
}

extension HTTPResponse {
  /// The response to a failed request.
  init(answering error: any Error) {
    switch error {
    case let refusal as HTTPRefusal: self.init(refusal)
    case let error as DepthError: self.init(Self.status(of: error.code), error: "\(error)")
    case is CancellationError: self.init(.unavailable, error: "the request was cancelled")
    default: self.init(.internalError, error: "the server failed")
    }
  }

  private static func status(of code: DepthError.Code) -> HTTPStatus {
    switch code {
    case .unsupportedFormat: .unsupportedMediaType
    case .tooLarge: .tooLarge
    case .insufficientMemory: .unavailable
    case .invalidArgument: .badRequest
    case .missingWeights, .weightsMismatch, .unreadable, .unwritable: .internalError
    default: .unprocessable
    }
  }
}
