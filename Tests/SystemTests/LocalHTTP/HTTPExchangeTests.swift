import Synchronization
import Testing

@testable import LocalHTTP

/// `100 Continue`, sent to a client that waits before its body.
@Suite struct HTTPExchangeTests {
  /// A connection whose client has stopped sending, and may be gone.
  private final class SilentConnection: ExchangeConnection {
    let questions = Atomic<Int>(0)
    var isStopping: Bool { false }
    var workTime: Duration { .seconds(600) }
    var presence: Connection.Presence { .silent }
    func write(_ bytes: [UInt8]) {}
    func askForBody() { questions.add(1, ordering: .relaxed) }
  }

  /// `100 Continue` inside a streamed answer would be read as bytes of a picture.
  @Test("a client is not asked for a body inside an answer", arguments: [false, true])
  func noQuestionInsideStreamedAnswers(isStreaming: Bool) throws {
    let connection = SilentConnection()
    let head = try HTTPRequestHead(parsing: Array("POST / HTTP/1.1\r\nHost: h\r\n".utf8))
    let exchange = HTTPExchange(HTTPRequest(head: head, body: []), on: connection)
    if isStreaming { exchange.send([1, 2, 3], type: "image/png") }
    #expect(!exchange.isOver)
    #expect(connection.questions.load(ordering: .relaxed) == (isStreaming ? 0 : 1))
  }
}
