import DepthBase
import Synchronization

/// An HTTP/1.1 server for one machine: a thread for each of a bounded number of connections, and a limit on
/// everything that a client decides.
///
/// It supports bodies with `Content-Length` and in chunks, keep-alive and `Expect: 100-continue`; no TLS, no pipelining
/// beyond one request after the other. A request is answered on its connection's thread, whose work asks
/// ``HTTPExchange/isOver``: whether its client has left, its time is over or the server stops.
package final class HTTPServer: Sendable {
  /// What answers a request.
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

  struct State: Sendable {
    var connections: [ObjectIdentifier: Connection] = [:]
    /// The connections whose next request has not come yet; the one that has waited longest is first.
    var waiting: [ObjectIdentifier] = []

    /// Takes a place from a client that has sent no request: of the address with most such connections, the one
    /// that has waited longest.
    mutating func makeRoom() -> Connection? {
      var counts: [[UInt8]: Int] = [:]
      for id in waiting {
        if let connection = connections[id] { counts[connection.address, default: 0] += 1 }
      }
      let most = counts.values.max()
      let chosen = waiting.first { id in
        connections[id].map { counts[$0.address] == most } ?? false
      }
      guard let chosen else { return nil }
      waiting.removeAll { $0 == chosen }
      return connections.removeValue(forKey: chosen)
    }
  }

  let limits: HTTPLimits
  let admission: Admission
  private let listener: Listener
  private let state = Monitor(State())
  private let stopping = Atomic<Bool>(false)

  /// The port, also where the system chose it.
  package var port: Int { listener.port }

  /// Listens; connections are taken from ``start(_:)`` on.
  ///
  /// - Throws: `DepthError` for a host that is not this machine, and a port that is taken.
  package init(host: String, port: Int, limits: HTTPLimits) throws {
    self.limits = limits
    admission = Admission(limits)
    listener = try Listener(host: host, port: port)
  }

  /// Takes connections on a thread of its own.
  ///
  /// - Returns: `false` when the system gives no thread.
  package func start(_ handler: @escaping Handler) -> Bool {
    OwnThread.start { [self] in
      while !isStopping {
        for connection in listener.next(patience: .milliseconds(100)) { take(connection, handler) }
      }
    }
  }

  /// Serves a client that is connected already, on the calling thread, until it leaves or is refused.
  ///
  /// - Parameter descriptor: A connected socket, which is closed.
  package func serve(descriptor: Int32, _ handler: @escaping Handler) {
    ConnectionRun(Connection(descriptor: descriptor), of: self, handler).serve()
  }

  /// Whether ``stop(patience:)`` was called.
  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Takes no more connections, cancels what is in progress, and waits until all connections have ended.
  ///
  /// - Returns: Whether they have within `patience`.
  package func stop(patience: Duration) -> Bool {
    stopping.store(true, ordering: .releasing)
    state.update { state in
      for connection in state.connections.values { connection.interrupt() }
    }
    return state.wait(upTo: patience) { $0.connections.isEmpty ? true : nil } ?? false
  }

  private func take(_ connection: Connection, _ handler: @escaping Handler) {
    let (isTaken, evicted) = state.update { state -> (Bool, Connection?) in
      guard !isStopping else { return (false, nil) }
      var evicted: Connection?
      if state.connections.count >= limits.connections {
        evicted = state.makeRoom()
        guard evicted != nil else { return (false, nil) }
      }
      state.connections[ObjectIdentifier(connection)] = connection
      state.waiting.append(ObjectIdentifier(connection))
      return (true, evicted)
    }
    // Its thread ends as if the client had left.
    evicted?.end()
    let isServed =
      isTaken
      && OwnThread.start { [self] in
        ConnectionRun(connection, of: self, handler).serve()
        forget(connection)
      }
    guard !isServed else { return }
    if isTaken { forget(connection) }
    let busy = HTTPResponse(.unavailable, error: "too many connections")
    let bytes = busy.head(length: busy.body.count, keepsAlive: false) + busy.body
    try? connection.write(bytes, until: .now + .milliseconds(100))
  }

  private func forget(_ connection: Connection) {
    let id = ObjectIdentifier(connection)
    state.update { state in
      state.connections[id] = nil
      state.waiting.removeAll { $0 == id }
    }
  }

  /// Notes whether a connection's next request has come.
  func note(_ connection: Connection, isWaiting: Bool) {
    let id = ObjectIdentifier(connection)
    state.update { state in
      guard isWaiting else { return state.waiting.removeAll { $0 == id } }
      // It waits since it was taken, whenever its thread has begun.
      guard state.connections[id] != nil, !state.waiting.contains(id) else { return }
      state.waiting.append(id)
    }
  }
}
