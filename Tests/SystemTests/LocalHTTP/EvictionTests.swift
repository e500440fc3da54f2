import SystemEssentials
import Testing

@testable import LocalHTTP

/// The choice of the connection that is closed for a new one.
@Suite struct EvictionTests {
  /// A client with an address of its own on this machine.
  private final class Client {
    private let descriptor: Int32

    init(_ port: Int, from last: UInt8) throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      func name(_ last: UInt8, _ port: Int) -> sockaddr_in {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = in_port_t(port).bigEndian
        name.sin_addr.s_addr = (0x7F00_0000 | UInt32(last)).bigEndian
        return name
      }
      func call(
        _ name: sockaddr_in, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
      ) -> Int32 {
        withUnsafePointer(to: name) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
          }
        }
      }
      try #require(call(name(last, 0), bind) == 0)
      try #require(call(name(1, port), connect) == 0)
    }

    deinit { close(descriptor) }

    func send(_ text: String) { _ = text.withCString { write(descriptor, $0, strlen($0)) } }
  }

  private let listener: Listener

  init() throws { listener = try Listener(host: "127.0.0.1", port: 0) }

  /// A full table of connections, one from each address in order.
  private func full(_ addresses: [UInt8]) throws -> (
    table: SharedTable, connections: [Connection], clients: [Client]
  ) {
    var limits = HTTPLimits()
    limits.connections = addresses.count
    let table = SharedTable(limits)
    var (connections, clients): ([Connection], [Client]) = ([], [])
    for address in addresses {
      clients.append(try Client(listener.port, from: address))
      let connection = try #require(listener.next(patience: .seconds(300)).first)
      #expect(connection.address == [127, 0, 0, address])
      #expect(table.add(connection))
      connections.append(connection)
    }
    return (table, connections, clients)
  }

  /// One more connection for a full table.
  private func one() throws -> (Connection, Client) {
    let client = try Client(listener.port, from: 9)
    return (try #require(listener.next(patience: .seconds(300)).first), client)
  }

  /// A client with many connections does not take the places of other clients.
  @Test("the address with most connections loses a connection")
  func whoHasMostConnectionsLosesOne() throws {
    let (table, connections, clients) = try full([2, 3, 3, 4])
    for connection in connections { table.begin(connection) }
    let (new, client) = try one()
    #expect(table.add(new))
    #expect(table.takeEvicted().map { $0 === connections[1] } == [true])
    // Now each address has one connection, so the oldest is closed.
    let (next, other) = try one()
    #expect(table.add(next))
    #expect(table.takeEvicted().map { $0 === connections[0] } == [true])
    withExtendedLifetime((clients, client, other)) {}
  }

  /// An unread request is still answered. A new connection has a second for its first byte.
  @Test("a connection that has just sent a request stays") func whoHasJustAskedStays() throws {
    let (table, connections, clients) = try full([2, 2])
    clients[0].send("GET / HTTP/1.1\r\n")
    Connection.awaitBytes(of: [connections[0]], upTo: .seconds(300))
    let (new, client) = try one()
    let start = ContinuousClock.now
    #expect(!table.add(new, at: start - .seconds(3600)))
    #expect(table.add(new, at: start + .seconds(3600)))
    #expect(table.takeEvicted().map { $0 === connections[1] } == [true])
    #expect(!table.add(new, at: start + .seconds(3600)))
    withExtendedLifetime((clients, client)) {}
  }
}
