extension ConnectionRun {
  static let busy = HTTPRefusal(
    .unavailable, "the server is busy, try again in a second")
  static let stopping = HTTPRefusal(.unavailable, "the server is stopping")
  private static let slow = HTTPRefusal(
    .requestTimeout, "the body arrives slowly, and the server needs its memory for others")

  /// The reason why a request is rejected.
  var refusal: HTTPRefusal {
    if server.isFinishing { return Self.stopping }
    return server.hasLost(connection) ? Self.slow : Self.busy
  }

  /// Rejects a body that is too long for its route.
  func check(
    _ body: HTTPRequestHead.Body, for route: HTTPServer.Route
  ) throws(HTTPRefusal) {
    let limit = route.isWork ? limits.bodyBytes : 0
    switch body {
    case .bytes(let count) where count > limit:
      throw HTTPRefusal(.tooLarge, "the body has \(count) bytes, expected at most \(limit)")
    case .chunks where !route.isWork:
      throw HTTPRefusal(.tooLarge, "the body is chunked, expected no body")
    case .bytes, .chunks: break
    }
  }

  /// - Returns: `nil` after informing the client of a timeout.
  func readBody(
    _ length: Int, _ rest: inout [UInt8], isExpecting: Bool
  ) throws(ConnectionFailure) -> [UInt8]? {
    var body = Array(rest.prefix(length))
    rest.removeSubrange(..<body.count)
    guard try counts(body.count) else { return nil }
    if isExpecting, body.count < length { try askForBody() }
    let start = Moment.now
    while body.count < length {
      // Memory grows with received bytes, not with the announced length.
      let end = limits.end(after: body.count, since: start)
      guard let part = try readPart(min(length - body.count, 256 << 10), until: end),
        try counts(part.count)
      else { return nil }
      body += part
    }
    return body
  }

  /// Counts received bytes.
  ///
  /// - Returns: `false` after informing the client that the bytes exceed the limits.
  private func counts(_ bytes: Int) throws(ConnectionFailure) -> Bool {
    guard bytes > 0, !server.update({ $0.grow(connection, by: bytes) }) else { return true }
    try refuse(refusal)
    return false
  }

  /// - Returns: `nil` after informing the client that the body was rejected.
  func readChunks(
    _ rest: inout [UInt8], isExpecting: Bool
  ) throws(ConnectionFailure) -> [UInt8]? {
    var body = ChunkedBody(limit: limits.bodyBytes)
    var (part, isExpecting) = (rest, isExpecting)
    let start = Moment.now
    while true {
      let before = body.bytes.count
      do throws(HTTPRefusal) {
        rest = Array(part[try body.take(part[...])...])
      } catch {
        try refuse(error)
        return nil
      }
      guard try counts(body.bytes.count - before) else { return nil }
      if body.isComplete { return body.bytes }
      if isExpecting { try askForBody() }
      isExpecting = false
      let end = limits.end(after: body.bytes.count, since: start)
      guard let next = try readPart(256 << 10, until: end) else { return nil }
      part = next
    }
  }

  func askForBody() throws(ConnectionFailure) {
    try write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
  }

  /// - Returns: `nil` after informing the client of a timeout.
  private func readPart(
    _ count: Int, until end: Moment
  ) throws(ConnectionFailure) -> [UInt8]? {
    do throws(ConnectionFailure) {
      return try connection.read(upTo: count, until: end)
    } catch {
      // A stopping server or an eviction ends the reading while the client is still connected.
      guard error == .timeout || server.isFinishing || server.hasLost(connection) else {
        throw error
      }
      try refuse(
        error == .timeout ? HTTPRefusal(.requestTimeout, "the body took too long") : refusal)
      return nil
    }
  }
}
