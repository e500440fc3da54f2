import Foundation
import Testing

@testable import LocalHTTP

/// A client that sends any bytes and reads one answer after the other.
final class TestClient {
  struct Answer: Equatable {
    var status: Int
    var body: String
  }

  private let connection: Connection
  private var received: [UInt8] = []

  /// Connects to a port of this machine.
  init(port: Int, address: UInt32 = 0x7F00_0001) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try #require(descriptor >= 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = in_port_t(port).bigEndian
    name.sin_addr.s_addr = address.bigEndian
    let isConnected = withUnsafePointer(to: &name) { name in
      name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    connection = Connection(descriptor: descriptor)
    try #require(isConnected)
  }

  /// Connects to a port of `::1`.
  init(portOfIPv6 port: Int) throws {
    let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    try #require(descriptor >= 0)
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = in_port_t(port).bigEndian
    address.sin6_addr = in6addr_loopback
    let isConnected = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
      }
    }
    connection = Connection(descriptor: descriptor)
    try #require(isConnected)
  }

  /// A client that sends `text` before the server's first read.
  init(sending text: String, of server: HTTPServer, _ handler: @escaping HTTPServer.Handler) throws
  {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    connection = Connection(descriptor: ends[0])
    try send(text)
    let other = ends[1]
    Thread { server.serve(descriptor: other, handler) }.start()
  }

  /// Whether unread bytes of an answer have arrived.
  var isAnswered: Bool { connection.hasUnreadBytes }

  /// Ends the sending side of the connection.
  func closeSide() { connection.closeSide() }

  func send(_ text: String) throws {
    try connection.write(Array(text.utf8), until: .now + .seconds(120))
  }

  /// The next line, without its end.
  func line() throws -> String {
    while true {
      if let end = received.firstIndex(of: 0x0A) {
        let line = String(decoding: received[..<end], as: UTF8.self)
        received.removeSubrange(...end)
        return line.hasSuffix("\r") ? String(line.dropLast()) : line
      }
      try receive()
    }
  }

  /// The bytes of the next answer, with its head.
  func answerBytes() throws -> [UInt8] {
    var head: [String] = []
    repeat { head.append(try line()) } while head.last != ""
    let length = head.compactMap { line in
      line.hasPrefix("Content-Length: ") ? Int(line.dropFirst(16)) : nil
    }.first
    let count = try #require(length)
    while received.count < count { try receive() }
    defer { received.removeSubrange(..<count) }
    return Array((head.joined(separator: "\r\n") + "\r\n").utf8) + received[..<count]
  }

  func text(of bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  func answer() throws -> Answer {
    let text = text(of: try answerBytes())
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let status = try #require(Int(text.split(separator: " ")[1]))
    return Answer(status: status, body: parts.count > 1 ? String(parts[1]) : "")
  }

  /// Everything up to the end of the connection.
  func rest() throws -> String {
    while (try? receive()) != nil {}
    return text(of: received)
  }

  /// Whether the server has closed the connection without another byte.
  func isClosed() throws -> Bool {
    guard received.isEmpty else { return false }
    do throws(ConnectionFailure) {
      _ = try connection.read(upTo: 1, until: .now + .seconds(120))
      return false
    } catch { return error == .gone }
  }

  private func receive() throws {
    received += try connection.read(upTo: 4096, until: .now + .seconds(120))
  }
}
