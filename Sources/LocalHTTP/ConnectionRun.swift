/// The sequence of requests on one connection.
struct ConnectionRun: ExchangeConnection {
  typealias Moment = ContinuousClock.Instant

  let connection: Connection
  let server: HTTPServer
  private let handling: HTTPServer.Handling
  private let current = RequestInProgress()
  var limits: HTTPLimits { server.limits }
  var isStopping: Bool { server.isStopping }
  var workTime: Duration { limits.workTime }
  var presence: Connection.Presence { connection.presence }

  init(
    _ connection: Connection, of server: HTTPServer, _ handling: HTTPServer.Handling
  ) {
    (self.connection, self.server, self.handling) = (connection, server, handling)
  }

  /// Serves requests until the client disconnects, is too slow, or sends a request that is rejected.
  func serve() {
    // The bytes received after the current request.
    var rest: [UInt8] = []
    do throws(ConnectionFailure) {
      while !server.isFinishing {
        guard let text = try readHead(&rest) else {
          end(isCut: false)
          return connection.finish()
        }
        server.update { $0.pass(connection, to: .receiving) }
        let takesMore = try answer(text, &rest)
        end(isCut: false)
        guard takesMore else { return connection.finish() }
      }
    } catch { end(isCut: true) }
  }

  /// Logs the request, if there is one.
  private func end(isCut: Bool) {
    guard let record = current.end(isCut: isCut, address: connection.number) else { return }
    handling.log?(record)
  }

  /// - Returns: The bytes before the empty line; `nil` if the request was rejected.
  private func readHead(_ rest: inout [UInt8]) throws(ConnectionFailure) -> [UInt8]? {
    let end = Moment.now + limits.headTime
    var (searched, mayBeEmpty) = (0, true)
    while true {
      // Some clients send an empty line after a body; RFC 9112, section 2.2.
      if mayBeEmpty, let feed = rest.firstIndex(of: 0x0A) {
        mayBeEmpty = false
        if rest[..<feed].allSatisfy({ $0 == 0x0D }), feed < 2 {
          rest.removeSubrange(...feed)
          searched = 0
          // A second empty line is an error.
          if rest.first == 0x0A || rest.starts(with: [0x0D, 0x0A]) { return [] }
          if rest.isEmpty { continue }
        }
      }
      if let (head, next) = Self.headEnd(rest, from: searched) {
        guard head <= limits.headBytes else { break }
        let text = Array(rest[..<head])
        rest.removeSubrange(..<next)
        current.begin()
        return text
      }
      guard rest.count <= limits.headBytes else { break }
      if !rest.isEmpty {
        current.begin()
        server.update { $0.begin(connection) }
      }
      searched = max(0, rest.count - 3)
      do throws(ConnectionFailure) {
        rest += try connection.read(upTo: 8 << 10, until: end)
      } catch .timeout where !rest.isEmpty {
        try refuse(HTTPRefusal(.requestTimeout, "the request's head took too long"))
        return nil
      }
    }
    try refuse(
      HTTPRefusal(.headersTooLarge, "the head has more than \(limits.headBytes) bytes"))
    return nil
  }

  /// The end of the head and the start of the body; lines may end in LF alone.
  private static func headEnd(_ bytes: [UInt8], from start: Int) -> (Int, Int)? {
    var index = start
    while index < bytes.count {
      if bytes[index] == 0x0A {
        if index + 1 < bytes.count, bytes[index + 1] == 0x0A { return (index + 1, index + 2) }
        if index + 2 < bytes.count, bytes[index + 1] == 0x0D, bytes[index + 2] == 0x0A {
          return (index + 1, index + 3)
        }
      }
      index += 1
    }
    return nil
  }

  /// - Returns: Whether the connection stays open for another request.
  private func answer(
    _ text: [UInt8], _ rest: inout [UInt8]
  ) throws(ConnectionFailure) -> Bool {
    let (head, body, route): (HTTPRequestHead, HTTPRequestHead.Body, HTTPServer.Route)
    do throws(HTTPRefusal) {
      head = try HTTPRequestHead(parsing: text)
      current.know(head)
      body = try head.body
      route = try handling.handler(head)
      try check(body, for: route)
    } catch {
      try refuse(error, isHead: text.starts(with: "HEAD ".utf8))
      return false
    }
    defer { server.update { $0.pass(connection, to: .waiting) } }
    guard route.isWork else { return try finish(head, body: [], route) }
    guard server.update({ !server.isFinishing && $0.enter(connection, body) }) else {
      return try refuse(head, keepsAlive: body == .bytes(0))
    }
    // HTTP/1.0 clients would treat an interim response as the final response (RFC 9110, section 10.1.1).
    let isExpecting =
      head.takesInterimAnswers && head.headers["expect"]?.lowercasedASCII == "100-continue"
    let bytes =
      switch body {
      case .bytes(let count): try readBody(count, &rest, isExpecting: isExpecting)
      case .chunks: try readChunks(&rest, isExpecting: isExpecting)
      }
    guard let bytes else { return false }
    guard body == .bytes(0) || server.update({ !server.isFinishing && $0.work(connection) }) else {
      return try refuse(head, keepsAlive: true)
    }
    return try finish(head, body: bytes, route)
  }

  /// Rejects a request without working on it.
  ///
  /// - Parameter keepsAlive: Whether the request has been received completely.
  /// - Returns: Whether the connection stays open for another request.
  private func refuse(
    _ head: HTTPRequestHead, keepsAlive: Bool
  ) throws(ConnectionFailure) -> Bool {
    let refusal = refusal
    let keepsAlive = keepsAlive && head.keepsAlive && refusal == Self.busy
    try refuse(refusal, keepsAlive: keepsAlive, isHead: head.method == "HEAD")
    return keepsAlive
  }

  /// Produces the response and sends it.
  ///
  /// - Returns: Whether the connection stays open for another request.
  private func finish(
    _ head: HTTPRequestHead, body: consuming [UInt8], _ route: HTTPServer.Route
  ) throws(ConnectionFailure) -> Bool {
    let exchange = HTTPExchange(HTTPRequest(head: head, body: body), on: self)
    let response = route.answer(exchange)
    // The slot is freed before the response is sent, since the client's next request may follow at once.
    server.update { $0.answer(connection, bytes: response.body.count) }
    let (isStreaming, end) = exchange.outcome
    let refusal: HTTPRefusal
    switch end {
    case .gone: throw .gone
    case .stopping: refusal = Self.stopping
    case .late: refusal = HTTPRefusal(.gatewayTimeout, "the answer took too long")
    case nil:
      guard isStreaming else { return try send(response, to: head) }
      try writeBody(response.body)
      return false
    }
    try refuse(refusal, isStreaming: isStreaming, isHead: head.method == "HEAD")
    return false
  }

  /// - Returns: Whether the connection stays open for another request.
  private func send(
    _ response: HTTPResponse, to head: HTTPRequestHead
  ) throws(ConnectionFailure) -> Bool {
    let keepsAlive = head.keepsAlive && !server.isFinishing
    try write(self.head(of: response, length: response.body.count, keepsAlive: keepsAlive))
    if head.method != "HEAD" { try writeBody(response.body) }
    return keepsAlive
  }

  /// - Parameters:
  ///   - isStreaming: Whether the head of a response was already sent.
  ///   - isHead: Whether the request's method is HEAD, whose responses have no body.
  func refuse(
    _ refusal: HTTPRefusal, keepsAlive: Bool = false, isStreaming: Bool = false,
    isHead: Bool = false
  ) throws(ConnectionFailure) {
    let response = HTTPResponse(refusal)
    let head =
      isStreaming ? [] : head(of: response, length: response.body.count, keepsAlive: keepsAlive)
    let body = isHead ? [] : response.body
    try write(head + body)
    current.send(body.count)
  }

  func head(of response: HTTPResponse, length: Int?, keepsAlive: Bool) -> [UInt8] {
    current.answer(response.status)
    var response = response
    if let head = current.head {
      response.headers += handling.headers(head).map { ($0.name, $0.value) }
    }
    return response.head(length: length, keepsAlive: keepsAlive)
  }

  func writeBody(_ bytes: [UInt8]) throws(ConnectionFailure) {
    let start = Moment.now
    var counted = 0
    func count(_ done: Int) {
      current.send(done - counted)
      counted = done
    }
    try connection.write(bytes) {
      count($0)
      return limits.end(after: $0, since: start)
    }
    count(bytes.count)
  }

  func write(_ bytes: [UInt8]) throws(ConnectionFailure) {
    let start = Moment.now
    try connection.write(bytes) { limits.end(after: $0, since: start) }
  }
}
