import DepthBase
import Synchronization
import Testing

@testable import LocalHTTP

/// The log of a server, with one record for each request.
@Suite struct HTTPRecordTests: TestsOfServer {
  private final class Log: Sendable {
    private let records = Monitor<[HTTPRecord]>([])

    func take(_ record: HTTPRecord) { records.update { $0.append(record) } }

    /// The records, when there are at least `count`.
    func first(_ count: Int) -> [HTTPRecord] { records.wait { $0.count >= count ? $0 : nil } }
  }

  private func logged(
    _ seen: Seen = Seen(), _ change: (inout HTTPLimits) -> Void = { _ in }
  ) throws -> (
    server: HTTPServer, log: Log
  ) {
    var limits = HTTPLimits()
    (limits.headTime, limits.patience) = (.seconds(600), .seconds(600))
    change(&limits)
    let (server, log) = (try HTTPServer(host: "127.0.0.1", port: 0, limits: limits), Log())
    let isStarted = server.start(
      handler(seen), headers: { [.init("Asked", $0.path)] }, log: { log.take($0) })
    #expect(isStarted)
    return (server, log)
  }

  @Test("every request of a connection is logged with its status and bytes")
  func everyRequestOfAConnectionIsLogged() throws {
    let (server, log) = try logged()
    let client = try TestClient(port: server.port)
    try client.send(head("POST", "/echo?key=secret", "Content-Length: 3\r\n") + "abc")
    let bytes = client.text(of: try client.answerBytes())
    #expect(bytes.contains("\r\nAsked: /echo\r\n"))
    try client.send(head("GET", "/light") + head("GET", "/parts"))
    _ = try client.answer()
    #expect(try client.rest().hasSuffix("one two three"))
    let refused = try TestClient(port: server.port)
    try refused.send(head("GET", "/none"))
    #expect(client.text(of: try refused.answerBytes()).contains("\r\nAsked: /none\r\n"))
    let records = log.first(4)
    #expect(records.map(\.request) == ["POST /echo", "GET /light", "GET /parts", "GET /none"])
    #expect(records.map(\.status) == [.ok, .ok, .ok, .notFound])
    #expect(records.map(\.bytes).dropLast() == [3, 0, 13] && records[3].bytes > 10)
    #expect(records.allSatisfy { $0.address == "127.0.0.1" && !$0.isCut && $0.time > .zero })
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("garbage and clients that leave early are logged") func earlyEndsAreLogged() throws {
    let (server, log) = try logged()
    try TestClient(port: server.port).send("GARBAGE\r\n\r\n")
    #expect(log.first(1)[0].status == .badRequest && log.first(1)[0].request == nil)
    do {
      // This client leaves in the middle of a photo.
      let client = try TestClient(port: server.port)
      try client.send(head("POST", "/echo", "Content-Length: 100\r\n") + "abc")
    }
    let cut = log.first(2)[1]
    #expect(cut.request == "POST /echo" && cut.status == nil && cut.bytes == 0 && cut.isCut)
    #expect(server.stop(patience: .seconds(300)))
  }

  /// A connection without a place is answered before any byte is read. A connection that sends nothing is no request.
  @Test("an answer that the server is busy is logged") func busyAnswersAreLogged() throws {
    let seen = Seen()
    let (server, log) = try logged(seen) { $0.connections = 1 }
    let first = try TestClient(port: server.port)
    try first.send(head("POST", "/wait", "Content-Length: 1\r\n") + "x")
    // The first connection would give way before work begins.
    seen.wait(for: \.startedCount, toBe: 1)
    let second = try TestClient(port: server.port)
    #expect(try second.answer().status == 503)
    #expect(log.first(1).contains { $0.status == .unavailable && $0.bytes > 0 })
    #expect(server.stop(patience: .seconds(300)))
    #expect(log.first(2).contains { $0.request == "POST /wait" && $0.status == .unavailable })
  }
}
