import DepthBase
import Synchronization

/// An HTTP/1.1 server for one machine: a thread for each of a bounded number of connections, and a limit on
/// everything that a client decides.
///
/// It supports bodies with `Content-Length` and in chunks, keep-alive and `Expect: 100-continue`; no TLS, no pipelining
/// beyond one request after the other. A request is answered on its connection's thread, whose work asks
/// ``HTTPExchange/isOver``: whether its client has left, its time is over or the server stops.
package final class HTTPServer: Sendable {
  /// The handler of a request.
  package struct Route: Sendable {
    /// Whether the request counts against the concurrency limit.
    let isWork: Bool
    let answer: @Sendable (HTTPExchange) -> HTTPResponse

    package init(
      isWork: Bool, answer: @escaping @Sendable (HTTPExchange) -> HTTPResponse
    ) {
      (self.isWork, self.answer) = (isWork, answer)
    }
  }

  /// Looks at a head before the body is read. Returns what answers the request, or throws to reject it.
  package typealias Handler = @Sendable (HTTPRequestHead) throws(HTTPRefusal) -> Route

  /// The handler of a server's requests, headers that it adds to answers, and its log.
  struct Handling: Sendable {
    let handler: Handler
    let headers: @Sendable (HTTPRequestHead) -> [HTTPRefusal.Header]
    /// `nil` where requests are not logged.
    let log: (@Sendable (HTTPRecord) -> Void)?

    init(
      _ handler: @escaping Handler,
      headers: @escaping @Sendable (HTTPRequestHead) -> [HTTPRefusal.Header] = { _ in [] },
      log: (@Sendable (HTTPRecord) -> Void)? = nil
    ) {
      (self.handler, self.headers, self.log) = (handler, headers, log)
    }
  }

  let limits: HTTPLimits
  private let listener: Listener
  private let table: Monitor<ConnectionTable>
  private let finishing = Atomic<Bool>(false)
  private let stopping = Atomic<Bool>(false)

  /// The port, also where the system chose it.
  package var port: Int { listener.port }

  /// Listens; connections are taken from ``start(_:)`` on.
  ///
  /// - Throws: `DepthError` for a host that is not this machine, and a port that is taken.
  package init(host: String, port: Int, limits: HTTPLimits) throws {
    self.limits = limits
    table = Monitor(ConnectionTable(limits))
    listener = try Listener(host: host, port: port)
  }

  /// Whether a host has an address: a name that this machine knows, or a number of IPv4 or IPv6.
  package static func hasAddress(_ host: String) -> Bool {
    !SocketAddress.all(of: ServedHosts.bare(host)).isEmpty
  }

  /// Takes connections on a thread of its own.
  ///
  /// - Parameters:
  ///   - handler: Answers requests.
  ///   - headers: Headers of every answer to a request, a refusal too.
  ///   - log: Takes each request that is over, on its connection's thread.
  /// - Returns: `false` when the system gives no thread.
  package func start(
    _ handler: @escaping Handler,
    headers: @escaping @Sendable (HTTPRequestHead) -> [HTTPRefusal.Header] = { _ in [] },
    log: (@Sendable (HTTPRecord) -> Void)? = nil
  ) -> Bool {
    let handling = Handling(handler, headers: headers, log: log)
    return OwnThread.start { [self] in
      var refused = RefusedConnections()
      while !isFinishing || !refused.isEmpty {
        let patience = Duration.milliseconds(refused.isEmpty ? 100 : 10)
        for connection in listener.next(patience: patience) {
          guard let answer = take(connection, handling) else { continue }
          refused.refuse(connection, answer)
          log?(
            HTTPRecord(
              address: connection.number, request: nil, status: answer.status,
              bytes: answer.body.count, time: .zero, isCut: false))
        }
        refused.readOn()
      }
    }
  }

  /// Serves a client that is connected already, on the calling thread, until it leaves or is refused.
  ///
  /// - Parameter descriptor: A connected socket, which is closed.
  package func serve(descriptor: Int32, _ handler: @escaping Handler) {
    let connection = Connection(descriptor: descriptor)
    update { $0.insert(connection) }
    serve(connection, Handling(handler))
  }

  /// Whether no more requests are taken.
  var isFinishing: Bool { finishing.load(ordering: .acquiring) }

  /// Whether ``stop(patience:)`` was called.
  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Takes no more requests, and waits until those whose answer is being made are answered, no longer than `patience`.
  package func finish(patience: Duration) {
    finishing.store(true, ordering: .releasing)
    table.update { table in
      for entry in table.entries.values where entry.phase != .working {
        entry.connection.interrupt()
      }
    }
    _ = table.wait(upTo: patience) { $0.entries.isEmpty ? true : nil }
  }

  /// Takes no more requests, cancels what is in progress, and waits until all connections have ended.
  ///
  /// - Returns: Whether they have within `patience`.
  package func stop(patience: Duration) -> Bool {
    stopping.store(true, ordering: .releasing)
    finish(patience: .zero)
    table.update { table in
      for entry in table.entries.values { entry.connection.interrupt() }
    }
    return table.wait(upTo: patience) { $0.entries.isEmpty ? true : nil } ?? false
  }

  /// - Returns: The answer to a connection that is not served; `nil` for one that is.
  private func take(_ connection: Connection, _ handling: Handling) -> HTTPResponse? {
    let isTaken = update { !isFinishing && $0.add(connection) }
    let isServed =
      isTaken
      && OwnThread.start(stackBytes: Self.stackBytes) { [self] in serve(connection, handling) }
    guard !isServed else { return nil }
    if isTaken { update { $0.remove(connection) } }
    return isFinishing ? HTTPResponse(ConnectionRun.stopping) : Self.tooManyConnections
  }

  private func serve(_ connection: Connection, _ handling: Handling) {
    ConnectionRun(connection, of: self, handling).serve()
    update { $0.remove(connection) }
  }

  /// Addresses of a connection's stack. Under a limit of addresses (`ulimit -v`), eight megabytes for each, as usual, would be taken from
  /// the work.
  private static let stackBytes = 1 << 20

  static let tooManyConnections = HTTPResponse(.unavailable, error: "too many connections")

  /// Changes the table of connections, and ends those that give way for it.
  @discardableResult
  func update<Result>(_ change: (inout ConnectionTable) -> Result) -> Result {
    let (result, evicted) = table.update { (change(&$0), $0.takeEvicted()) }
    for entry in evicted {
      // The thread of a client that sends answers with 408; one that does not read would not learn of it.
      if entry.phase == .receiving { entry.connection.interrupt() } else { entry.connection.end() }
    }
    return result
  }

  /// Whether a connection has given way to others.
  func hasLost(_ connection: Connection) -> Bool { table.read { !$0.contains(connection) } }
}
