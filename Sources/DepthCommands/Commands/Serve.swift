import ArgumentParser
import DepthBase
import DepthErrors
import LocalHTTP
import MonocularDepth
import SystemEssentials

/// `depth serve`: a web page for the depth of photos, and an HTTP API.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a web page and an HTTP API for depth of photos.",
    discussion: """
      Prints the page's address and serves until Ctrl-C. Photos are processed on this machine only. Programs can \
      post photos:

        curl --data-binary @photo.jpg http://127.0.0.1:8080/v1/depth -o depth.png
        curl --data-binary @photo.jpg -H 'Accept: application/x-npy' -o d.npy \\
          http://127.0.0.1:8080/v1/depth
        curl --data-binary @photo.jpg -o 3d.jpg \\
          'http://127.0.0.1:8080/v1/stereo?format=anaglyph'
        curl --data-binary @photo.jpg -o b.jpg \\
          'http://127.0.0.1:8080/v1/effect?effect=blur&focus=1.8m'
      """)

  @OptionGroup var address: ServeAddressOptions
  @OptionGroup var proxy: ServeProxyOptions
  @OptionGroup var limits: ServeLimitOptions
  @OptionGroup var weights: WeightsOptions

  @Option(help: .threads) var threads: Int?

  @Flag(
    help: """
      Print a line for each request on standard error: time, client, request without parameters, status, bytes of the \
      answer, milliseconds. The printed address then has no secret.
      """)
  var log = false

  @Flag(
    help: """
      Print nothing but the lines of --log on standard error; the address is still printed on standard output.
      """)
  var quiet = false

  func validate() throws { try check("--threads", threads, in: ThreadCount.range) }

  func run() throws {
    // Blocks the signals before any thread starts, so that no other thread receives them.
    let signals = EndSignals()
    let secret = try address.secret(tellsDoubts: !quiet)
    let server = try HTTPServer(host: address.host, port: address.port, limits: limits.http)
    let request = weights.request
    let estimator = try request.estimator(givesMetres: true, threads: threads)
    let (withNormals, threads) = (LazyValue<DepthEstimator>(), threads)
    let router = ServiceRouter(
      service: DepthService(
        estimator: estimator, weightsID: try estimator.weightsIdentifier(), limits: limits.images,
        cacheBytes: limits.cacheMegabytes << 20
      ) {
        // The normals head slows down every estimate, so the network with this head is loaded on the first
        // request for normals.
        guard estimator.givesPoints else { return estimator }
        return try withNormals.value {
          var selection = try request.selection()
          selection.givesNormals = true
          return try request.estimator(of: selection, threads: threads)
        }
      },
      access: ServiceAccess(
        hosts: ServedHosts(
          host: address.host, port: server.port, others: proxy.allowHost,
          origins: AllowedOrigins(proxy.allowOrigin)),
        token: secret),
      basePath: proxy.basePath)
    let origins = router.access.hosts.origins
    let write: @Sendable (HTTPRecord) -> Void = { Console.log("\($0.line())\n") }
    let isStarted = server.start(
      router.handler, headers: { origins.headers(for: $0) }, log: log ? write : nil)
    guard isStarted else {
      throw DepthError(.insufficientMemory, "no thread can be started for the server")
    }
    // The secret is left out of output that a script may store in a log.
    let page = address.page(
      port: server.port, under: proxy.basePath, secret: quiet || log ? nil : secret)
    try Console.write("\(page)\n")
    if !quiet { Console.note("open \(page) in a browser; Ctrl-C stops the server") }
    let signal = signals.wait()
    // A second signal ends the program at once.
    signals.restore()
    // A user who pressed Ctrl-C is waiting, so requests are cancelled at once. Service managers allow time
    // to complete requests.
    if signal != SIGINT { server.finish(patience: .seconds(5)) }
    // Requests still in progress get status 503.
    _ = server.stop(patience: .seconds(10))
  }
}
