import DepthBase
import Testing

@testable import LocalHTTP

/// A server of one file, which supports ranges.
final class FileServer: Sendable {
  private let listener: Listener
  private let content: [UInt8]
  /// Bytes after which the server ends a connection; `nil` for no end.
  private let limit: Int?
  private let isThere: Bool
  /// Whether the server keeps a stalled connection open until the server ends.
  private let isStuck: Bool
  private let tellsLength: Bool
  private let starts = Monitor<[Int]>([])
  private let isOver = Monitor(false)

  init(
    _ content: [UInt8], limit: Int? = nil, isThere: Bool = true, isStuck: Bool = false,
    tellsLength: Bool = true
  ) throws {
    listener = try Listener(host: "127.0.0.1", port: 0)
    (self.content, self.limit) = (content, limit)
    (self.isThere, self.isStuck, self.tellsLength) = (isThere, isStuck, tellsLength)
    let isStarted = OwnThread.start { [self] in
      while !isOver.read(\.self) {
        for connection in listener.next(patience: .milliseconds(50)) { answer(connection) }
      }
    }
    #expect(isStarted)
  }

  func end() { isOver.update { $0 = true } }

  var address: String { "http://127.0.0.1:\(listener.port)/authors" }
  /// The first byte of each requested range.
  var asked: [Int] { starts.read(\.self) }

  private func answer(_ connection: Connection) {
    let moment = ContinuousClock.now + .seconds(60)
    var head: [UInt8] = []
    while !String(decoding: head, as: UTF8.self).contains("\r\n\r\n"),
      let bytes = try? connection.read(upTo: 4096, until: moment), !bytes.isEmpty
    { head += bytes }
    let text = String(decoding: head, as: UTF8.self)
    let start = text.firstMatch(of: /Range: bytes=([0-9]+)-/).flatMap { Int($0.1) } ?? 0
    starts.update { $0.append(start) }
    let rest = content[min(start, content.count)...]
    let isBeyond = start > 0 && start >= content.count
    let found =
      isBeyond ? "416 Range Not Satisfiable" : start > 0 ? "206 Partial Content" : "200 OK"
    let status = isThere ? found : "404 Not Found"
    let part = isBeyond ? "*" : "\(start)-\(content.count - 1)"
    let range = start > 0 ? "Content-Range: bytes \(part)/\(content.count)\r\n" : ""
    let length = tellsLength ? "Content-Length: \(rest.count)\r\n" : ""
    let answer = "HTTP/1.1 \(status)\r\n\(range)\(length)Connection: close\r\n\r\n"
    try? connection.write(Array(answer.utf8) + rest.prefix(limit ?? rest.count), until: moment)
    if isStuck { _ = isOver.wait { $0 ? true : nil } }
    connection.closeSide()
  }
}
