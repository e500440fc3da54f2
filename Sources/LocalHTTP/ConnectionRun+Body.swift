extension ConnectionRun {
  static let busy = HTTPRefusal(
    .unavailable, "the server is busy, try again in a second")

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
    if isExpecting, body.count < length { try askForBody() }
    let end = Moment.now + limits.bodyTime
    while body.count < length {
      // Memory grows with what has come, not with what was announced.
      guard let part = try readPart(min(length - body.count, 256 << 10), until: end) else {
        return nil
      }
      body += part
    }
    return body
  }

  /// - Returns: `nil` if it was refused; the client then got an error.
  func readChunks(
    _ rest: inout [UInt8], isExpecting: Bool, _ place: inout Admission.Place
  ) throws(ConnectionFailure) -> [UInt8]? {
    var body = ChunkedBody(limit: limits.bodyBytes)
    var (part, isExpecting) = (rest, isExpecting)
    let end = Moment.now + limits.bodyTime
    while true {
      let before = body.bytes.count
      do throws(HTTPRefusal) {
        rest = Array(part[try body.take(part[...])...])
      } catch {
        try refuse(error)
        return nil
      }
      guard place.grow(by: body.bytes.count - before) else {
        try refuse(Self.busy)
        return nil
      }
      if body.isComplete { return body.bytes }
      if isExpecting { try askForBody() }
      isExpecting = false
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
    } catch .timeout {
      try refuse(HTTPRefusal(.requestTimeout, "the body takes too long"))
      return nil
    }
  }
}
