extension ConnectionRun {
  static let busy = HTTPRefusal(
    .unavailable, "the server is busy, try again in a second")
  static let stopping = HTTPRefusal(.unavailable, "the server is stopping")
  private static let slow = HTTPRefusal(
    .requestTimeout, "the body comes slowly, and the server needs its room for others")

  /// The reason why a request is not worked on.
  var refusal: HTTPRefusal {
    if server.isFinishing { return Self.stopping }
    return server.hasLost(connection) ? Self.slow : Self.busy
  }

  /// Refuses a body that is longer than its route takes.
  func check(
    _ body: HTTPRequestHead.Body, for route: HTTPServer.Route
  ) throws(HTTPRefusal) {
    let limit = route.isWork ? limits.bodyBytes : 0
    switch body {
    case .bytes(let count) where count > limit:
      throw HTTPRefusal(.tooLarge, "the body has \(count) bytes, expected at most \(limit)")
    case .chunks where !route.isWork:
      throw HTTPRefusal(.tooLarge, "there is a body in chunks, expected none")
    case .bytes, .chunks: break
    }
  }

  /// - Returns: `nil` if it took too long; the client then got an error.
  func readBody(
    _ length: Int, _ rest: inout [UInt8], isExpecting: Bool
  ) throws(ConnectionFailure) -> [UInt8]? {
    var body = Array(rest.prefix(length))
    rest.removeSubrange(..<body.count)
    guard try counts(body.count) else { return nil }
    if isExpecting, body.count < length { try askForBody() }
    let start = Moment.now
    while body.count < length {
      // Memory grows with what has come, not with what was announced.
      let end = limits.end(after: body.count, since: start)
      guard let part = try readPart(min(length - body.count, 256 << 10), until: end),
        try counts(part.count)
      else { return nil }
      body += part
    }
    return body
  }

  /// Counts bytes that have come.
  ///
  /// - Returns: `false` if there is no room for them; the client then got an error.
  private func counts(_ bytes: Int) throws(ConnectionFailure) -> Bool {
    guard bytes > 0, !server.update({ $0.grow(connection, by: bytes) }) else { return true }
    try refuse(refusal)
    return false
  }

  /// - Returns: `nil` if it was refused; the client then got an error.
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

  /// - Returns: `nil` if it took too long; the client then got an error.
  private func readPart(
    _ count: Int, until end: Moment
  ) throws(ConnectionFailure) -> [UInt8]? {
    do throws(ConnectionFailure) {
      return try connection.read(upTo: count, until: end)
    } catch {
      // A server that stops, or a connection that gives way, ends the reading, but the client is there.
      guard error == .timeout || server.isFinishing || server.hasLost(connection) else {
        throw error
      }
      try refuse(
        error == .timeout ? HTTPRefusal(.requestTimeout, "the body takes too long") : refusal)
      return nil
    }
  }
}
