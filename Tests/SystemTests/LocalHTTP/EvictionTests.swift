import SystemEssentials
import Testing

@testable import LocalHTTP

/// Which connection gives up its place for a new one.
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

  /// Connections of clients at these addresses, which have waited for long, in this order.
  private func state(_ addresses: [UInt8]) throws -> (
    state: HTTPServer.State, connections: [Connection], clients: [Client]
  ) {
    var (state, connections, clients): (HTTPServer.State, [Connection], [Client]) = (
      .init(), [], []
    )
    for address in addresses {
      clients.append(try Client(listener.port, from: address))
      let connection = try #require(listener.next(patience: .seconds(300)).first)
      #expect(connection.address == [127, 0, 0, address])
      state.connections[ObjectIdentifier(connection)] = connection
      state.waiting.append(ObjectIdentifier(connection))
      connections.append(connection)
    }
    return (state, connections, clients)
  }

  /// One client with many connections does not take the places of the others.
  @Test func whoHasMostConnectionsLosesOne() throws {
    var (state, connections, clients) = try state([2, 3, 3, 4])
    // Then all have one, and the oldest goes.
    let gone = [state.makeRoom(), state.makeRoom()]
    #expect(gone[0] === connections[1] && gone[1] === connections[0])
    #expect(state.connections.count == 2 && state.waiting.count == 2)
    withExtendedLifetime(clients) {}
    clients = []
  }

  /// A request that has come, but has not been read yet, is answered.
  @Test func whoHasJustAskedStays() throws {
    var (state, connections, clients) = try state([2, 2])
    clients[0].send("GET / HTTP/1.1\r\n")
    Connection.awaitBytes(of: [connections[0]], upTo: .seconds(300))
    let gone = [state.makeRoom(), state.makeRoom()]
    #expect(gone[0] === connections[1] && gone[1] == nil)
    clients = []
  }
}
