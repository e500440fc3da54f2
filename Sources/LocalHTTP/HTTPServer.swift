import DepthBase
import Synchronization

/// An HTTP/1.1 server for one machine, with limits on clients and on connections. Each connection has a thread.
///
/// The server supports bodies with `Content-Length`, chunked bodies, keep-alive and `Expect: 100-continue`, but neither TLS
/// nor concurrent pipelined requests. Work runs on the connection's thread and polls ``HTTPExchange/isOver``, which is true
/// if the client has disconnected, the time is over or the server stops.
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

  /// Routes a request by its head before the body is read, or throws to reject the request.
  package typealias Handler = @Sendable (HTTPRequestHead) throws(HTTPRefusal) -> Route

  /// The handler of a server's requests, additional response headers, and the log.
  struct Handling: Sendable {
    let handler: Handler
    let headers: @Sendable (HTTPRequestHead) -> [HTTPRefusal.Header]
    /// `nil` for no log.
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

  /// The port, possibly chosen by the system.
  package var port: Int { listener.port }

  /// Opens the listening sockets. The server accepts connections after ``start(_:)``.
  ///
  /// - Throws: `DepthError` for a host that is not this machine, and for an occupied port.
  package init(host: String, port: Int, limits: HTTPLimits) throws {
    self.limits = limits
    table = Monitor(ConnectionTable(limits))
    listener = try Listener(host: host, port: port)
  }

  /// Whether a host has an address: a known name, or an IPv4 or IPv6 address.
  package static func hasAddress(_ host: String) -> Bool {
    !SocketAddress.all(of: ServedHosts.bare(host)).isEmpty
  }

  /// Accepts connections on a separate thread.
  ///
  /// - Parameters:
  ///   - handler: Routes requests.
  ///   - headers: Headers of every response to a request, including rejections.
  ///   - log: Receives each finished request, on its connection's thread.
  /// - Returns: `false` if the system cannot start a thread.
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

  /// Serves a connected client on the calling thread until the client disconnects or is rejected.
  ///
  /// - Parameter descriptor: A connected socket, which the server closes.
  package func serve(descriptor: Int32, _ handler: @escaping Handler) {
    let connection = Connection(descriptor: descriptor)
    update { $0.insert(connection) }
    serve(connection, Handling(handler))
  }

  /// Whether no more requests are accepted.
  var isFinishing: Bool { finishing.load(ordering: .acquiring) }

  /// Whether ``stop(patience:)`` was called.
  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Stops accepting requests, and waits up to `patience` for the responses in progress.
  package func finish(patience: Duration) {
    finishing.store(true, ordering: .releasing)
    table.update { table in
      for entry in table.entries.values where entry.phase != .working {
        entry.connection.interrupt()
      }
    }
    _ = table.wait(upTo: patience) { $0.entries.isEmpty ? true : nil }
  }

  /// Stops accepting requests, cancels requests in progress, and waits until all connections have ended.
  ///
  /// - Returns: Whether all connections ended within `patience`.
  package func stop(patience: Duration) -> Bool {
    stopping.store(true, ordering: .releasing)
    finish(patience: .zero)
    table.update { table in
      for entry in table.entries.values { entry.connection.interrupt() }
    }
    return table.wait(upTo: patience) { $0.entries.isEmpty ? true : nil } ?? false
  }

  /// - Returns: The response to a rejected connection; `nil` if the connection is served.
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

  /// Stack size of a connection's thread. Under an address limit (`ulimit -v`), the default of 8 MiB per thread would reduce
  /// the memory for work.
  private static let stackBytes = 1 << 20

  static let tooManyConnections = HTTPResponse(.unavailable, error: "too many connections")

  /// Updates the table of connections, and ends evicted connections.
  @discardableResult
  func update<Result>(_ change: (inout ConnectionTable) -> Result) -> Result {
    let (result, evicted) = table.update { (change(&$0), $0.takeEvicted()) }
    for entry in evicted {
      // The thread of a client that is sending responds with 408. A client that does not read would not receive a response.
      if entry.phase == .receiving { entry.connection.interrupt() } else { entry.connection.end() }
    }
    return result
  }

  /// Whether a connection was evicted.
  func hasLost(_ connection: Connection) -> Bool { table.read { !$0.contains(connection) } }
}
