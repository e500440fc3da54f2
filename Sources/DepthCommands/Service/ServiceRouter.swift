import DepthErrors
import DepthGeometry
import DepthPipeline
import LocalHTTP

/// The addresses of the service.
///
/// | address | what |
/// |---|---|
/// | `GET /` | the page |
/// | `GET /example.jpg`, `/armchair.jpg`, `/doorway.jpg` | photos to try it with |
/// | `GET /healthz` | whether it runs, and with which weights |
/// | `GET /v1/openapi.json` | these addresses, as OpenAPI describes them |
/// | `POST /v1/depth` | photo → depth map |
/// | `POST /v1/stereo` | photo → stereo photo |
/// | `POST /v1/effect` | photo → picture |
/// | `POST /v1/export` | photo → point cloud, mesh or page |
/// | `POST /v1/photos` | keeps a photo and its depth for a page; answers with its id |
/// | `GET /v1/photos/ID/depth` | its depth map |
/// | `GET /v1/photos/ID/confidence` | how sure the network is of each pixel |
///
/// Stereo and effects take `?photo=ID` in place of a body.
struct ServiceRouter: Sendable {
  let service: DepthService
  let access: ServiceAccess

  init(service: DepthService, access: ServiceAccess) {
    (self.service, self.access) = (service, access)
  }

  var handler: HTTPServer.Handler {
    { (head) throws(HTTPRefusal) in try route(head) }
  }

  private enum Address {
    case page, health, icon, description
    case example(name: String)
    case depth, stereo, effect, export, photos
    case photoDepth(id: String)
    case photoConfidence(id: String)

    init?(path: String) {
      switch path {
      case "/": self = .page
      case "/example.jpg", "/armchair.jpg", "/doorway.jpg":
        self = .example(name: String(path.dropFirst()))
      case "/healthz": self = .health
      case "/favicon.ico": self = .icon
      case "/v1/openapi.json": self = .description
      case "/v1/depth": self = .depth
      case "/v1/stereo": self = .stereo
      case "/v1/effect": self = .effect
      case "/v1/export": self = .export
      case "/v1/photos": self = .photos
      default:
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[1] == "v1", parts[2] == "photos" else { return nil }
        switch parts[4] {
        case "depth": self = .photoDepth(id: String(parts[3]))
        case "confidence": self = .photoConfidence(id: String(parts[3]))
        default: return nil
        }
      }
    }

    var methods: [String] {
      switch self {
      case .page, .example, .health, .icon, .description: ["GET", "HEAD"]
      case .photoDepth, .photoConfidence: ["GET"]
      case .depth, .stereo, .effect, .export, .photos: ["POST"]
      }
    }

    /// Whether it is what the token protects and the queue counts.
    var isWork: Bool {
      switch self {
      case .page, .example, .health, .icon, .description: false
      default: true
      }
    }
  }

  private func route(_ head: HTTPRequestHead) throws(HTTPRefusal) -> HTTPServer.Route {
    try access.hosts.check(head)
    guard let address = Address(path: head.path) else {
      throw HTTPRefusal(.notFound, "there is nothing at this address")
    }
    guard address.methods.contains(head.method) else {
      throw HTTPRefusal(
        .methodNotAllowed, "expected \(address.methods.joined(separator: " or "))",
        header: .init("Allow", address.methods.joined(separator: ", ")))
    }
    if address.isWork { try access.checkToken(head) }
    return HTTPServer.Route(isWork: address.isWork) { answer($0, at: address) }
  }

  private func answer(_ exchange: HTTPExchange, at address: Address) -> HTTPResponse {
    do {
      switch address {
      case .page: return page()
      case .example(let name):
        guard let photo = DepthPage.photo(named: name) else {
          return HTTPResponse(.notFound, error: "there is nothing at this address")
        }
        return HTTPResponse(type: "image/jpeg", photo)
      case .health: return try service.health()
      case .icon: return .empty
      case .description: return HTTPResponse(type: "application/json", DepthPage.openAPI)
      case .depth: return try service.depth(exchange)
      case .stereo: return try service.stereo(exchange)
      case .effect: return try service.effect(exchange)
      case .export: return try service.export(exchange)
      case .photos: return try service.keepPhoto(exchange)
      case .photoDepth(let id): return try service.depth(ofPhoto: id)
      case .photoConfidence(let id): return try service.confidence(ofPhoto: id)
      }
    } catch {
      return HTTPResponse(answering: error)
    }
  }

  private func page() -> HTTPResponse {
    let page = DepthPage.served()
    return HTTPResponse(
      type: "text/html; charset=utf-8", Array(page.html.utf8),
      headers: [
        ("Content-Security-Policy", page.policy), ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
      ])
  }
}

extension HTTPResponse {
  /// The answer to a request that failed.
  init(answering error: any Error) {
    switch error {
    case let refusal as HTTPRefusal: self.init(refusal)
    case let error as DepthError: self.init(Self.status(of: error.code), error: "\(error)")
    case let failure as InputFailure: self.init(.unprocessable, error: "\(failure)")
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
