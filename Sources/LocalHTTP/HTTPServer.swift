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

  struct State: Sendable {
    var connections: [ObjectIdentifier: Connection] = [:]
    /// The connections whose next request has not come yet; the one that has waited longest is first.
    var waiting: [ObjectIdentifier] = []
    /// The connections that have sent nothing yet, and since when.
    var fresh: [ObjectIdentifier: ContinuousClock.Instant] = [:]
    /// The connections whose answer is being made.
    var working: Set<ObjectIdentifier> = []
    var isFinishing = false

    /// Takes a place from a client whose request is not complete: of the address with most such connections, the one that
    /// has waited longest. New ones have a second for their first byte, and what no thread has read yet may be complete.
    mutating func makeRoom() -> Connection? {
      var counts: [[UInt8]: Int] = [:]
      let youngest = ContinuousClock.now - .seconds(1)
      let idle = waiting.filter { id in
        fresh[id].map { $0 < youngest } ?? true && connections[id]?.hasUnreadBytes == false
      }
      for id in idle {
        if let connection = connections[id] { counts[connection.address, default: 0] += 1 }
      }
      let most = counts.values.max()
      let chosen = idle.first { id in
        connections[id].map { counts[$0.address] == most } ?? false
      }
      guard let chosen else { return nil }
      waiting.removeAll { $0 == chosen }
      fresh[chosen] = nil
      return connections.removeValue(forKey: chosen)
    }
  }

  /// How far the next request of a connection has come.
  enum Phase {
    /// No head yet, or not all of it.
    case waiting, begun
    case receiving, working
  }

  let limits: HTTPLimits
  let admission: Admission
  private let listener: Listener
  private let state = Monitor(State())
  private let finishing = Atomic<Bool>(false)
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
      var refused = RefusedConnections()
      while !isFinishing || !refused.isEmpty {
        let patience = Duration.milliseconds(refused.isEmpty ? 100 : 10)
        for connection in listener.next(patience: patience) {
          if let answer = take(connection, handler) { refused.refuse(connection, answer) }
        }
        refused.readOn()
      }
    }
  }

  /// Serves a client that is connected already, on the calling thread, until it leaves or is refused.
  ///
  /// - Parameter descriptor: A connected socket, which is closed.
  package func serve(descriptor: Int32, _ handler: @escaping Handler) {
    ConnectionRun(Connection(descriptor: descriptor), of: self, handler).serve()
  }

  /// Whether no more requests are taken.
  var isFinishing: Bool { finishing.load(ordering: .acquiring) }

  /// Whether ``stop(patience:)`` was called.
  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Takes no more requests, and waits until those whose answer is being made are answered, no longer than `patience`.
  package func finish(patience: Duration) {
    finishing.store(true, ordering: .releasing)
    state.update { state in
      state.isFinishing = true
      for (id, connection) in state.connections where !state.working.contains(id) {
        connection.interrupt()
      }
    }
    _ = state.wait(upTo: patience) { $0.connections.isEmpty ? true : nil }
  }

  /// Takes no more requests, cancels what is in progress, and waits until all connections have ended.
  ///
  /// - Returns: Whether they have within `patience`.
  package func stop(patience: Duration) -> Bool {
    stopping.store(true, ordering: .releasing)
    finish(patience: .zero)
    state.update { state in
      for connection in state.connections.values { connection.interrupt() }
    }
    return state.wait(upTo: patience) { $0.connections.isEmpty ? true : nil } ?? false
  }

  /// - Returns: The answer to a connection that is not served; `nil` for one that is.
  private func take(_ connection: Connection, _ handler: @escaping Handler) -> HTTPResponse? {
    let (isTaken, evicted) = state.update { state -> (Bool, Connection?) in
      guard !state.isFinishing else { return (false, nil) }
      var evicted: Connection?
      if state.connections.count >= limits.connections {
        evicted = state.makeRoom()
        guard evicted != nil else { return (false, nil) }
      }
      state.connections[ObjectIdentifier(connection)] = connection
      state.waiting.append(ObjectIdentifier(connection))
      state.fresh[ObjectIdentifier(connection)] = .now
      return (true, evicted)
    }
    // Its thread ends as if the client had left.
    evicted?.end()
    let isServed =
      isTaken
      && OwnThread.start(stackBytes: Self.stackBytes) { [self] in
        ConnectionRun(connection, of: self, handler).serve()
        forget(connection)
      }
    guard !isServed else { return nil }
    if isTaken { forget(connection) }
    return isFinishing ? HTTPResponse(ConnectionRun.stopping) : Self.tooManyConnections
  }

  /// Addresses of a connection's stack. Under a limit of addresses (`ulimit -v`), eight megabytes for each, as usual, would be taken from
  /// the work.
  private static let stackBytes = 1 << 20

  static let tooManyConnections = HTTPResponse(.unavailable, error: "too many connections")

  private func forget(_ connection: Connection) {
    let id = ObjectIdentifier(connection)
    state.update { state in
      state.connections[id] = nil
      state.fresh[id] = nil
      state.working.remove(id)
      state.waiting.removeAll { $0 == id }
    }
  }

  /// Notes how far a connection's next request has come.
  ///
  /// - Returns: `false` for work that no longer begins, because no more requests are taken.
  @discardableResult
  func note(_ connection: Connection, _ phase: Phase) -> Bool {
    let id = ObjectIdentifier(connection)
    return state.update { state in
      state.working.remove(id)
      switch phase {
      case .waiting:
        // It waits since it was taken, whenever its thread has begun.
        guard state.connections[id] != nil, !state.waiting.contains(id) else { break }
        state.waiting.append(id)
      case .begun: state.fresh[id] = nil
      case .receiving:
        state.fresh[id] = nil
        state.waiting.removeAll { $0 == id }
      case .working:
        guard !state.isFinishing else { return false }
        state.working.insert(id)
      }
      return true
    }
  }
}
