import Foundation
import Synchronization
import Testing

@testable import LocalHTTP

/// Servers with small limits. No test here measures time.
@Suite struct HTTPServerTests: TestsOfServer {
  @Test("a connection takes several requests in turn")
  func aConnectionTakesOneRequestAfterTheOther() throws {
    let server = try server()
    let client = try TestClient(port: server.port)
    // The second request comes with the first. The third request comes in pieces.
    try client.send(
      head("POST", "/echo", "Content-Length: 3\r\n") + "abc" + head("GET", "/light"))
    #expect(try client.answer() == .init(status: 200, body: "abc"))
    #expect(try client.answer() == .init(status: 200, body: ""))
    for piece in [String(head("POST", "/echo", "Content-Length: 4\r\n").prefix(20))] {
      try client.send(piece)
    }
    try client.send(String(head("POST", "/echo", "Content-Length: 4\r\n").dropFirst(20)) + "de")
    try client.send("fg")
    #expect(try client.answer() == .init(status: 200, body: "defg"))
    #expect(server.stop(patience: .seconds(300)))
    #expect(try client.isClosed())
  }

  @Test("a body may come in chunks") func bodiesComeInChunksToo() throws {
    let server = try server { $0.bodyBytes = 10 }
    let client = try TestClient(port: server.port)
    // The next request follows at once. A third request is sent byte by byte.
    let request = head("POST", "/echo", inChunks) + "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"
    try client.send(request + head("GET", "/light"))
    #expect(try client.answer() == .init(status: 200, body: "abcde"))
    #expect(try client.answer() == .init(status: 200, body: ""))
    for character in request.unicodeScalars { try client.send(String(character)) }
    #expect(try client.answer() == .init(status: 200, body: "abcde"))
    // A body may have up to ten bytes.
    try client.send(head("POST", "/echo", inChunks) + "a\r\n0123456789\r\n0\r\n\r\n")
    #expect(try client.answer() == .init(status: 200, body: "0123456789"))
    try client.send(head("POST", "/echo", inChunks + "Expect: 100-continue\r\n"))
    #expect(try client.line() == "HTTP/1.1 100 Continue")
    try client.send("1\r\nx\r\n0\r\n\r\n")
    #expect(try client.line() == "")
    #expect(try client.answer() == .init(status: 200, body: "x"))
    #expect(server.stop(patience: .seconds(300)))
  }

  /// Bytes behind a refused body are never taken for a request.
  @Test("a refused chunked body ends the connection") func refusedChunksEndTheConnection() throws {
    let server = try server {
      $0.bodyBytes = 10
      ($0.bodyBytesTogether, $0.smallBytes) = (8, 0)
    }
    let next = head("GET", "/light")
    for (headers, body, status) in [
      (inChunks + "Content-Length: 5\r\n", "5\r\nhello\r\n0\r\n\r\n", 400),
      (inChunks, "5\r\nhello!\r\n", 400),
      (inChunks, "6\r\nabcdef\r\n5\r\nabcde\r\n0\r\n\r\n", 413),
      // A chunk must also fit the limit of all bodies together.
      (inChunks, "6\r\nabcdef\r\n3\r\nabc\r\n0\r\n\r\n", 503),
    ] {
      let client = try TestClient(port: server.port)
      try client.send(head("POST", "/echo", headers) + body + next)
      #expect(try client.answer().status == status, "\(body)")
      #expect(try client.isClosed(), "\(body)")
    }
    let client = try TestClient(port: server.port)
    try client.send(head("GET", "/light", inChunks) + "1\r\nx\r\n0\r\n\r\n" + next)
    #expect(try client.answer().status == 413)
    #expect(try client.isClosed())
    // The room of these bodies is free again.
    let last = try TestClient(port: server.port)
    try last.send(head("POST", "/echo", inChunks) + "8\r\n01234567\r\n0\r\n\r\n")
    #expect(try last.answer() == .init(status: 200, body: "01234567"))
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("the answer to HEAD has no body") func aHeadHasNoBody() throws {
    let server = try server()
    let client = try TestClient(port: server.port)
    try client.send(head("HEAD", "/light") + head("POST", "/echo", "Content-Length: 1\r\n") + "x")
    #expect(try client.answer() == .init(status: 200, body: ""))
    #expect(try client.answer() == .init(status: 200, body: "x"))
    try client.send(head("HEAD", "/light", "Content-Length: 9\r\n"))
    let refused = try client.rest()
    #expect(refused.hasPrefix("HTTP/1.1 413 ") && refused.hasSuffix("\r\n\r\n"), "\(refused)")
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("parts that a handler sends precede its answer") func partsComeBeforeTheAnswer() throws {
    let server = try server()
    let client = try TestClient(port: server.port)
    try client.send(head("POST", "/parts"))
    #expect(try client.rest().hasSuffix("\r\n\r\none two three"))
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("HTTP/1.0 clients get no interim answer") func clientsOfHTTP10GetNoInterimAnswer() throws {
    let server = try server { $0.bodyBytes = 10 }
    let client = try TestClient(port: server.port)
    let fields = "Expect: 100-continue\r\nContent-Length: 2\r\n"
    try client.send("POST /echo HTTP/1.0\r\nHost: h\r\n\(fields)\r\n")
    try client.send("ok")
    #expect(try client.answer() == .init(status: 200, body: "ok"))
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("the server asks only for a body of allowed length")
  func aBodyIsAskedForOnlyOnceItIsWelcome() throws {
    let server = try server { $0.bodyBytes = 10 }
    let client = try TestClient(port: server.port)
    let expect = "Expect: 100-continue\r\n"
    try client.send(head("POST", "/echo", expect + "Content-Length: 2\r\n"))
    #expect(try client.line() == "HTTP/1.1 100 Continue")
    try client.send("ok")
    #expect(try client.line() == "")
    #expect(try client.answer() == .init(status: 200, body: "ok"))
    try client.send(head("POST", "/echo", expect + "Content-Length: 11\r\n"))
    #expect(try client.answer().status == 413)
    #expect(try client.isClosed())
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("a refused request ends the connection") func refusedRequestsEndTheConnection() throws {
    let server = try server()
    for (text, status) in [
      (head("GET", "/none"), 404), (head("GET", "/light", "Content-Length: 4\r\n") + "1234", 413),
      (head("POST", "/echo", "Content-Length: x\r\n"), 400), ("nonsense\r\n\r\n", 400),
      ("GET /" + String(repeating: "a", count: 20_000), 431),
    ] {
      let client = try TestClient(port: server.port)
      try client.send(text)
      #expect(try client.answer().status == status, "\(text.prefix(40))")
      #expect(try client.isClosed())
    }
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("work is cancelled when its client leaves") func workEndsWhenItsClientLeaves() throws {
    let seen = Seen()
    let server = try server(seen)
    do {
      let client = try TestClient(port: server.port)
      try client.send(head("POST", "/wait"))
      seen.wait(for: \.startedCount, toBe: 1)
      #expect(seen.cancelledCount == 0)
      withExtendedLifetime(client) {}
    }
    seen.wait(for: \.cancelledCount, toBe: 1)
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("work whose time is over ends with status 504") func workEndsWhenItsTimeIsOver() throws {
    let seen = Seen()
    let server = try server(seen) { $0.workTime = .milliseconds(100) }
    let client = try TestClient(port: server.port)
    try client.send(head("POST", "/wait"))
    #expect(try client.answer().status == 504)
    seen.wait(for: \.cancelledCount, toBe: 1)
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("work ends with status 503 when the server stops")
  func workEndsWhenTheServerStops() throws {
    let seen = Seen()
    let server = try server(seen)
    let client = try TestClient(port: server.port)
    try client.send(head("POST", "/wait"))
    seen.wait(for: \.startedCount, toBe: 1)
    #expect(server.stop(patience: .seconds(300)))
    #expect(seen.cancelledCount == 1)
    #expect(try client.answer().status == 503)
  }

  @Test("a late head or body is refused") func slowClientsAreRefused() throws {
    let server = try server {
      $0.headTime = .milliseconds(200)
      $0.patience = .milliseconds(200)
    }
    // Bytes sent before the server's first read are in time, even on a slow machine.
    for (sent, status) in [
      ("GET / HT", 408), (head("POST", "/echo", "Content-Length: 100\r\n") + "few", 408),
      (head("POST", "/echo", inChunks) + "64\r\nfew", 408),
      // The second empty line is no request.
      ("\r\n", nil), ("\r\n\r\n", 400), ("\n", nil),
    ] as [(String, Int?)] {
      let client = try TestClient(sending: sent, of: server, handler())
      if let status { #expect(try client.answer().status == status, "\(sent)") }
      #expect(try client.isClosed())
    }
    // A client that has sent nothing gets no answer.
    let silent = try TestClient(port: server.port)
    #expect(try silent.isClosed())
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("requests beyond the queue's limit are refused")
  func beyondTheQueueThereIsAnAnswerAtOnce() throws {
    let seen = Seen()
    let server = try server(seen) {
      $0.requests = 1
      ($0.bodyBytesTogether, $0.smallBytes) = (100, 0)
    }
    var first: TestClient? = try TestClient(port: server.port)
    try first?.send(head("POST", "/wait"))
    seen.wait(for: \.startedCount, toBe: 1)
    let second = try TestClient(port: server.port)
    try second.send(head("POST", "/echo"))
    let busy = try second.text(of: second.answerBytes())
    #expect(busy.hasPrefix("HTTP/1.1 503 ") && busy.contains("Retry-After: 1\r\n"))
    // Requests without work are answered, and the connection goes on.
    try second.send(head("GET", "/light"))
    #expect(try second.answer().status == 200)
    withExtendedLifetime(first) {}
    first = nil
    seen.wait(for: \.cancelledCount, toBe: 1)
    // The place is free as soon as the handler has ended.
    var status = 503
    for _ in 0..<1000 where status == 503 {
      try second.send(head("POST", "/echo"))
      status = try second.answer().status
    }
    #expect(status == 200)
    // The limit of all bodies together is independent of the queue.
    try second.send(head("POST", "/echo", "Content-Length: 101\r\n"))
    #expect(try second.answer().status == 503)
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("a connection beyond the limit gets status 503")
  func thereAreOnlySoManyConnections() throws {
    let seen = Seen()
    let server = try server(seen) {
      $0.connections = 2
      $0.requests = 2
    }
    let clients = try (0..<2).map { _ in try TestClient(port: server.port) }
    defer { withExtendedLifetime(clients) {} }
    for client in clients { try client.send(head("POST", "/wait")) }
    seen.wait(for: \.startedCount, toBe: 2)
    let third = try TestClient(port: server.port)
    #expect(try third.answer().status == 503)
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("a client without a whole request is closed") func slowHeadsMakeRoomForOthers() throws {
    let server = try server { $0.connections = 1 }
    let slow = try TestClient(port: server.port)
    try slow.send("GET / HT")
    // Before the server reads these bytes, the bytes could be a whole request.
    var status = 503
    for _ in 0..<1000 where status == 503 {
      let other = try TestClient(port: server.port)
      try other.send(head("GET", "/light"))
      status = try other.answer().status
    }
    #expect(status == 200)
    #expect(try slow.isClosed())
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("a request is answered even if the client sends no more")
  func aClientThatSendsNoMoreIsAnswered() throws {
    let seen = Seen()
    let server = try server(seen)
    let client = try TestClient(port: server.port)
    try client.send(head("POST", "/slow"))
    client.closeSide()
    #expect(try client.rest().hasSuffix("\r\n\r\nslow"))
    #expect(seen.cancelledCount == 0)
    #expect(server.stop(patience: .seconds(300)))
  }

  @Test("a port that is in use is refused") func aPortIsTakenOnce() throws {
    let server = try server()
    #expect(throws: (any Error).self) {
      try HTTPServer(host: "127.0.0.1", port: server.port, limits: HTTPLimits())
    }
    #expect(server.stop(patience: .seconds(300)))
  }
}
