import Foundation
import Synchronization
import Testing

@testable import LocalHTTP

/// Requests that the handler of a test has seen.
final class Seen: Sendable {
  let cancelled = Atomic<Int>(0)
  let started = Atomic<Int>(0)

  func wait(for count: KeyPath<Seen, Int>, toBe wanted: Int) {
    for _ in 0..<30_000 {
      if self[keyPath: count] >= wanted { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    Issue.record("waited for \(wanted) requests, found \(self[keyPath: count])")
  }

  var startedCount: Int { started.load(ordering: .acquiring) }
  var cancelledCount: Int { cancelled.load(ordering: .acquiring) }
}

/// Tests of servers with limits that a test can reach.
protocol TestsOfServer {}

extension TestsOfServer {
  var inChunks: String { "Transfer-Encoding: chunked\r\n" }

  /// `/echo` answers with the body, `/parts` with three parts, and `/wait` after a cancellation.
  func server(
    _ seen: Seen = Seen(), _ change: (inout HTTPLimits) -> Void = { _ in }
  ) throws -> HTTPServer {
    var limits = HTTPLimits()
    // On a busy machine, the other side of a test may be slow.
    limits.headTime = .seconds(600)
    limits.patience = .seconds(600)
    limits.workTime = .seconds(600)
    change(&limits)
    let server = try HTTPServer(host: "127.0.0.1", port: 0, limits: limits)
    #expect(server.start(handler(seen)))
    return server
  }

  func handler(_ seen: Seen = Seen()) -> HTTPServer.Handler {
    { (head) throws(HTTPRefusal) in
      if head.path == "/none" { throw HTTPRefusal(.notFound, "there is nothing") }
      return HTTPServer.Route(isWork: head.path != "/light") { exchange in
        seen.started.add(1, ordering: .releasing)
        switch exchange.head.path {
        case "/wait":
          if isOver(exchange, within: .seconds(3600)) {
            seen.cancelled.add(1, ordering: .releasing)
          }
        case "/slow":
          if isOver(exchange, within: .milliseconds(300)) {
            seen.cancelled.add(1, ordering: .releasing)
          }
          return HTTPResponse(type: "text/plain", Array("slow".utf8))
        case "/parts":
          exchange.send(Array("one ".utf8), type: "text/plain")
          exchange.send(Array("two ".utf8), type: "text/plain")
          return HTTPResponse(type: "text/plain", Array("three".utf8))
        default: break
        }
        return HTTPResponse(type: "text/plain", exchange.takeBody())
      }
    }
  }

  func head(_ method: String, _ path: String, _ headers: String = "") -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: h\r\n\(headers)\r\n"
  }
}

/// Whether the client stops waiting for the answer within a time.
private func isOver(_ exchange: HTTPExchange, within time: Duration) -> Bool {
  let end = ContinuousClock.now + time
  while ContinuousClock.now < end {
    if exchange.isOver { return true }
    usleep(10_000)
  }
  return false
}
