import DepthBase
import LocalHTTP
import Synchronization
import SystemEssentials

/// A server on a thread of its own that answers with the body of a request; `nil` where there is no thread.
private let server: ServingThread? = ServingThread()

extension FuzzTarget {
  /// A client that sends these bytes, leaves, and takes what comes.
  func serve(_ bytes: [UInt8]) throws {
    var ends: [Int32] = [0, 0]
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    guard let server, unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Refused() }
    let client = ends[0]
    defer { close(client) }
    server.begin(ends[1])
    let answer = Self.talk(bytes, over: client)
    server.finish()
    try require(answer.isEmpty || answer.starts(with: "HTTP/1.1 ".utf8), "the answer's beginning")
    // A client that has left may get none, where the handler takes its time.
    guard answer.isEmpty || answer.starts(with: "HTTP/1.1 200".utf8) else { throw Refused() }
  }

  /// Takes a body in chunks apart, in pieces that the first byte decides and at once: both give the same.
  func readChunks(_ bytes: [UInt8]) throws {
    let (input, limit) = (bytes.dropFirst(), 1 << 12)
    var state = bytes.first ?? 0
    var (whole, pieces, rest) = (ChunkedBody(limit: limit), ChunkedBody(limit: limit), input)
    let taken = Result { () throws(HTTPRefusal) in try whole.take(input) }
    let takenInPieces = Result { () throws(HTTPRefusal) in
      while !rest.isEmpty, !pieces.isComplete {
        state = state &* 5 &+ 1
        rest = rest.dropFirst(try pieces.take(rest.prefix(Int(state >> 5))))
      }
      return input.count - rest.count
    }
    try require(taken == takenInPieces, "the end of a body in pieces")
    try require(whole.bytes == pieces.bytes, "a body in pieces")
    try require(whole.bytes.count <= limit, "the length of a body")
    _ = try taken.get()
    guard whole.isComplete else { throw Refused() }
  }

  /// Sends bytes as far as the other end takes them, and returns what it sent.
  private static func talk(_ bytes: [UInt8], over client: Int32) -> [UInt8] {
    var (rest, answer) = (bytes[...], [UInt8]())
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    _ = fcntl(client, F_SETFL, fcntl(client, F_GETFL) | O_NONBLOCK)
    while true {
      if rest.isEmpty { shutdown(client, Int32(SHUT_WR)) }
      var wanted = pollfd(
        fd: client, events: Int16(POLLIN | (rest.isEmpty ? 0 : POLLOUT)), revents: 0)
      guard unsafe poll(&wanted, 1, -1) > 0 else { continue }
      if wanted.revents & Int16(POLLOUT) != 0 {
        let count = unsafe rest.withUnsafeBytes {
          unsafe send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        // A server that has refused the client takes no more.
        rest = count < 0 && errno != EAGAIN ? [] : rest.dropFirst(max(count, 0))
      }
      guard wanted.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { continue }
      let count = unsafe recv(client, &buffer, buffer.count, 0)
      if count > 0 { answer += buffer[..<count] } else if count == 0 || errno != EAGAIN { break }
    }
    // Otherwise the server reads on for a moment, so that no client loses its answer.
    shutdown(client, Int32(SHUT_RDWR))
    return answer
  }
}

/// A thread that serves one client after the other.
private final class ServingThread: Sendable {
  /// The socket of the client that is served; `nil` between two.
  private let client = Monitor<Int32?>(nil)

  init?() {
    var limits = HTTPLimits()
    limits.bodyBytes = 1 << 15
    let hosts = ServedHosts(host: "127.0.0.1", port: 80)
    let handler: HTTPServer.Handler = { (head) throws(HTTPRefusal) in
      try hosts.check(head, isPage: head.path == "/")
      return HTTPServer.Route(isWork: head.path != "/light") { exchange in
        let (head, body) = (exchange.head, exchange.takeBody())
        if case .bytes(let count)? = try? head.body {
          precondition(count == body.count, "a body of another length")
        }
        if head.path == "/parts" { exchange.send([0x31], type: "text/plain") }
        return HTTPResponse(type: "text/plain", body)
      }
    }
    guard let server = try? HTTPServer(host: "127.0.0.1", port: 0, limits: limits),
      OwnThread.start({ [client] in
        while true {
          server.serve(descriptor: client.wait { $0 }, handler)
          client.update { $0 = nil }
        }
      })
    else { return nil }
  }

  func begin(_ descriptor: Int32) { client.update { $0 = descriptor } }

  /// Waits until the client was served, so that the next one finds nothing under way.
  func finish() { client.wait { $0 == nil ? () : nil } }
}
