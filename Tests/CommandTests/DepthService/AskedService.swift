import DepthBase
import DepthImages
import Foundation
import MonocularDepth
import Synchronization
import Testing
import _TestSupport

@testable import DepthCommands
@testable import LocalHTTP

/// The server's answers by a small network, without a socket.
struct AskedService {
  enum Network {
    /// Metres with expected errors, metres alone, and relative disparity.
    case metric, withoutErrors, relative
  }

  let service: DepthService
  let handler: HTTPServer.Handler

  private static let metric = Result { try loaded(.lite2()) }
  private static let withoutErrors = Result { try loaded(.lite2(outputs: 1)) }
  private static let relative = Result { try loaded(.depthAnything(largest: nil)) }

  private static func loaded(_ weights: GeneratedWeights) throws -> DepthEstimator {
    let folder = try TemporaryFolder()
    try writeHDF5(weights, attributes: weights.attributes, to: folder.path("small.h5"))
    return try DepthEstimator(.file(folder.url("small.h5")), threads: 2)
  }

  init(
    _ network: Network = .metric, maximumPixels: Int = 1 << 20, cacheBytes: Int = 64 << 20,
    token: String? = nil, origins: [String] = [], basePath: String = ""
  ) throws {
    let estimator =
      switch network {
      case .metric: try Self.metric.get()
      case .withoutErrors: try Self.withoutErrors.get()
      case .relative: try Self.relative.get()
      }
    service = DepthService(
      estimator: estimator, weightsID: try estimator.weightsIdentifier(),
      limits: ImageLimits(maximumPixels: maximumPixels), cacheBytes: cacheBytes)
    let access = ServiceAccess(
      hosts: ServedHosts(host: "127.0.0.1", port: 80, origins: AllowedOrigins(origins)),
      token: token)
    handler = ServiceRouter(service: service, access: access, basePath: basePath).handler
  }

  /// The estimator that a command would use for the service's maps.
  func estimation(camera: DepthOptions.CameraChoice = .automatic) -> MapEstimation {
    MapEstimation(
      service.estimator, options: DepthOptions(camera: camera, limits: service.limits))
  }

  /// The answer to `METHOD /path?query`, for a client that waits for it.
  func answer(
    _ target: String, to body: [UInt8] = [], headers: [String: String] = [:],
    client: Client = Client()
  ) throws -> HTTPResponse {
    let target = target.contains(" ") ? target : "POST \(target)"
    let exchange = try Self.exchange(target, body, headers, client)
    do throws(HTTPRefusal) {
      return try handler(exchange.head).answer(exchange)
    } catch { return HTTPResponse(error) }
  }

  static func exchange(
    _ target: String, _ body: [UInt8] = [], _ headers: [String: String] = [:],
    _ client: any ExchangeConnection = Client()
  ) throws -> HTTPExchange {
    let lines = headers.merging(["Host": "127.0.0.1"]) { given, _ in given }
      .map { "\($0.key): \($0.value)\r\n" }.joined()
    let head = try HTTPRequestHead(parsing: Array("\(target) HTTP/1.1\r\n\(lines)".utf8))
    return HTTPExchange(HTTPRequest(head: head, body: body), on: client)
  }

  /// Opens a photo as the page does.
  ///
  /// - Returns: The photo's id.
  func open(_ photo: [UInt8], query: String = "") throws -> String {
    let answer = try answer("/v1/photos\(query)", to: photo)
    #expect(answer.status == .ok, "\(answer.text)")
    return try #require(try answer.object["id"] as? String)
  }

  /// The number of open photos.
  func openCount() throws -> Int {
    try #require(try answer("GET /healthz").object["photos"] as? Int)
  }
}

/// A client in this process, which records received bytes and leaves after some checks.
final class Client: ExchangeConnection {
  let isStopping = false
  let workTime = Duration.seconds(3600)
  private let questions: Int
  private let asked = Atomic<Int>(0)
  private let received = Mutex<[UInt8]>([])

  /// - Parameter questions: The number of checks in which the client is present.
  init(leavingAfter questions: Int = .max) { self.questions = questions }

  var presence: Connection.Presence {
    asked.add(1, ordering: .relaxed).newValue <= questions ? .there : .gone
  }

  func write(_ bytes: [UInt8]) { received.withLock { $0 += bytes } }

  func askForBody() {}

  /// Parts sent before the answer's end.
  var text: String { String(decoding: received.withLock(\.self), as: UTF8.self) }
}

extension HTTPRequest {
  /// The decoded request.
  func asked<Wanted: Request>(for type: Wanted.Type) throws -> Wanted {
    try SentRequest(HTTPExchange(self, on: Client()), call: CallContext(threads: 1)).asked(
      for: type)
  }
}

extension HTTPResponse {
  subscript(header: String) -> String? { headers.first { $0.name == header }?.value }

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body, a JSON object.
  var object: [String: Any] {
    get throws {
      try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any], "\(text)")
    }
  }

  /// The reason for the failure of the request.
  var reason: String { ((try? object["error"]) as? String) ?? "" }
}
