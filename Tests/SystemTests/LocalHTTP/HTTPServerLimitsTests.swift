import Foundation
import Testing
import _TestSupport

@testable import LocalHTTP

/// More clients than places, slow bodies, and the end of a server.
@Suite struct HTTPServerLimitsTests: TestsOfServer {
  @Test("requests do not wait for bodies that are still arriving")
  func aBodyThatIsReceivedKeepsNobodyWaiting() throws {
    let server = try server { $0.requests = 1 }
    let length = "Content-Length: 3\r\n"
    let slow = try (0..<2).map { _ in try TestClient(port: server.port) }
    try slow[0].send(head("POST", "/echo", length + "Expect: 100-continue\r\n"))
    #expect(try slow[0].line() == "HTTP/1.1 100 Continue")
    let quick = try TestClient(port: server.port)
    try quick.send(head("POST", "/echo", length) + "abc")
    #expect(try quick.answer() == .init(status: 200, body: "abc"))
    try slow[1].send(head("POST", "/echo", length + "Expect: 100-continue\r\n"))
    #expect(try slow[1].line() == "HTTP/1.1 100 Continue")
    try quick.send(head("POST", "/echo", length) + "abc")
    #expect(try quick.answer().status == 200)
    for client in slow {
      try client.send("xyz")
      #expect(try client.line() == "")
      #expect(try client.answer() == .init(status: 200, body: "xyz"))
    }
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("a body slower than the least rate ends with status 408") func aBodyHasALeastRate() throws {
    let server = try server { $0.patience = .milliseconds(200) }
    for headers in ["Content-Length: 100\r\n", inChunks] {
      let client = try TestClient(
        sending: head("POST", "/echo", headers) + "64\r\nfew", of: server, handler())
      #expect(try client.answer().status == 408)
      #expect(try client.isClosed())
    }
    let (limits, start) = (HTTPLimits(), ContinuousClock.now)
    #expect(limits.end(after: 0, since: start) == start + .seconds(300))
    #expect(limits.end(after: 300 * 65_000, since: start) == start + .seconds(300))
    #expect(limits.end(after: 600 * 65_000, since: start) == start + .seconds(600))
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("each of 60 clients gets status 200 or 503") func everyConnectionGetsAnAnswer() throws {
    let server = try server { $0.connections = 4 }
    let request = head("POST", "/echo", "Connection: close\r\nContent-Length: 9\r\n") + "123456789"
    let clients = try (0..<60).map { _ in
      let client = try TestClient(port: server.port)
      try client.send(request)
      return client
    }
    var statuses: [Int: Int] = [:]
    for client in clients { statuses[try client.answer().status, default: 0] += 1 }
    #expect(Set(statuses.keys).isSubset(of: [200, 503]), "\(statuses)")
    #expect(statuses[200, default: 0] >= 4, "\(statuses)")
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("a finishing server still answers running work")
  func runningWorkIsAnsweredAtTheEnd() throws {
    let seen = Seen()
    let server = try server(seen)
    let client = try TestClient(port: server.port)
    try client.send(head("POST", "/slow"))
    let (idle, receiving) = (try TestClient(port: server.port), try TestClient(port: server.port))
    try idle.send(head("GET", "/light"))
    #expect(try idle.answer().status == 200)
    try receiving.send(head("POST", "/echo", "Content-Length: 3\r\nExpect: 100-continue\r\n"))
    #expect(try receiving.line() == "HTTP/1.1 100 Continue")
    seen.wait(for: \.startedCount, toBe: 2)
    server.finish(patience: .seconds(300))
    #expect(try client.answer() == .init(status: 200, body: "slow"))
    #expect(seen.cancelledCount == 0)
    #expect(try idle.isClosed())
    #expect(try receiving.line() == "")
    #expect(try receiving.answer().status == 503)
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("unfinished work is cancelled when the server stops")
  func workThatTakesLongerIsCancelledAtTheEnd() throws {
    let seen = Seen()
    let server = try server(seen)
    let client = try TestClient(port: server.port)
    try client.send(head("POST", "/wait"))
    seen.wait(for: \.startedCount, toBe: 1)
    server.finish(patience: .milliseconds(10))
    #expect(seen.cancelledCount == 0)
    #expect(server.stop(patience: .seconds(300)))
    #expect(seen.cancelledCount == 1)
    #expect(try client.answer().status == 503)
  }

  @Test("an empty line before a head is ignored") func emptyLinesBeforeRequestsAreSkipped() throws {
    let server = try server()
    let client = try TestClient(port: server.port)
    try client.send("\r\n" + head("POST", "/echo", "Content-Length: 1\r\n") + "x")
    #expect(try client.answer() == .init(status: 200, body: "x"))
    try client.send("\r")
    try client.send("\n" + head("GET", "/light"))
    #expect(try client.answer().status == 200)
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("an answer frees the body's room") func bodiesGiveTheirRoomBackWithTheirAnswer() throws {
    let server = try server { ($0.bodyBytesTogether, $0.smallBytes) = (130, 0) }
    let client = try TestClient(port: server.port)
    for number in 0..<6 {
      let body = String(repeating: "\(number)", count: 60)
      try client.send(head("POST", "/echo", "Content-Length: 60\r\n") + body)
      #expect(try client.answer() == .init(status: 200, body: body))
    }
    #expect(server.stop(patience: .seconds(300)))
  }

  /// Otherwise a few broken connections would block a server for ever.
  @Test(
    "a client that leaves within a body frees its place",
    arguments: ["Content-Length: 60\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n9\r\nabc"])
  func aClientThatLeavesInsideItsBodyGivesItsPlaceBack(length: String) throws {
    let server = try server()
    func bytes() -> [Int] { server.update { $0.entries.values.map(\.bytes) } }
    do {
      let client = try TestClient(port: server.port)
      try client.send("POST /echo HTTP/1.1\r\nHost: h\r\n" + length)
      #expect(waitUntil { bytes() == [3] })
      withExtendedLifetime(client) {}
    }
    #expect(waitUntil { bytes() == [] })
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("a slow body is refused if another body needs room") func aSlowBodyGivesWay() throws {
    let server = try server { ($0.bodyBytesTogether, $0.smallBytes) = (100, 0) }
    let slow = try TestClient(port: server.port)
    try slow.send(
      head("POST", "/echo", "Content-Length: 100\r\n") + String(repeating: "a", count: 99))
    #expect(waitUntil { server.update { $0.entries.values.map(\.bytes) } == [99] })
    // In its first second the body keeps its room.
    var status = 503
    for _ in 0..<30_000 where status == 503 {
      let other = try TestClient(port: server.port)
      try other.send(head("POST", "/echo", "Connection: close\r\nContent-Length: 3\r\n") + "abc")
      status = try other.answer().status
    }
    #expect(status == 200)
    let answer = try slow.answer()
    #expect(answer.status == 408 && answer.body.contains("the server needs its memory"))
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("an unread answer leaves other bodies room") func anAnswerThatNobodyReadsGivesWay() throws {
    let server = try server { ($0.bodyBytesTogether, $0.smallBytes) = (16 << 20, 0) }
    let body = String(repeating: "a", count: 12 << 20)
    let request = head(
      "POST", "/echo", "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n")
    let unread = try TestClient(port: server.port)
    try unread.send(request + body)
    let isSending = { server.update { $0.entries.values.map(\.phase) } == [.answering] }
    #expect(waitUntil(isSending))
    var status = 503
    for _ in 0..<3000 where status != 200 {
      let other = try TestClient(port: server.port)
      // A refused body is not read to its end.
      try? other.send(request + body)
      status = (try? other.answer().status) ?? 503
    }
    #expect(status == 200)
    #expect(try unread.rest().utf8.count < body.utf8.count)
    #expect(server.stop(patience: .seconds(300)))
  }

  /// The time limit is for the whole body, so single bytes do not extend the time.
  /// The announced length is more than any machine sends byte by byte in that time.
  @Test(
    "a body that arrives byte by byte is refused after its time",
    arguments: [
      "Content-Length: 1000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nF4240\r\n",
    ])
  func aBodyThatTricklesInEndsAtItsTime(length: String) throws {
    let server = try server { $0.patience = .milliseconds(300) }
    let client = try TestClient(port: server.port)
    try client.send("POST /echo HTTP/1.1\r\nHost: h\r\n" + length)
    var sent = 0
    while !client.isAnswered, sent < 1000 {
      try client.send("x")
      sent += 1
      usleep(10_000)
    }
    #expect(sent < 1000)
    #expect(try client.answer().status == 408)
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("a head over the size limit is refused") func longHeadsAreRefusedInOnePieceToo() throws {
    let server = try server { $0.headBytes = 300 }
    for (padding, status) in [(200, 200), (300, 431)] {
      let header = "A: \(String(repeating: "a", count: padding))\r\n"
      let client = try TestClient(
        sending: head("GET", "/light", header + "Connection: close\r\n"), of: server, handler())
      #expect(try client.answer().status == status)
    }
    #expect(server.stop(patience: .seconds(300)))
  }
}
