import Foundation
import Testing

@testable import LocalHTTP

/// Names with several addresses. For `localhost`, browsers try `::1`, other programs `127.0.0.1`.
@Suite struct ListenerTests {
  private func listener(_ hosts: [String]) throws -> Listener {
    try Listener(at: hosts.flatMap(SocketAddress.all), of: "test", port: 0)
  }

  /// Accepts up to `count` clients, and waits at most a minute for each client.
  private func clients(_ count: Int, of listener: Listener) -> Int {
    var taken: [Connection] = []
    while taken.count < count {
      let next = listener.next(patience: .seconds(60))
      guard !next.isEmpty else { break }
      taken += next
    }
    return taken.count
  }

  @Test("all addresses of a listener have one port") func allAddressesHaveOnePort() throws {
    let listener = try listener(["127.0.0.1", "127.0.0.2"])
    let both = [
      try TestClient(port: listener.port),
      try TestClient(port: listener.port, address: 0x7F00_0002),
    ]
    #expect(clients(2, of: listener) == 2)
    withExtendedLifetime(both) {}
  }

  private static let hasIPv6 =
    (try? Listener(at: SocketAddress.all(of: "::1"), of: "test", port: 0)) != nil

  /// The IPv6 socket takes no IPv4 connections, so the same port is free for IPv4.
  @Test("IPv6 and IPv4 are served at one port", .enabled(if: hasIPv6, "this machine has no IPv6"))
  func bothFamiliesAreServed() throws {
    let listener = try listener(["::1", "127.0.0.1"])
    let sixth = try TestClient(portOfIPv6: listener.port)
    let fourth = try TestClient(port: listener.port)
    #expect(clients(2, of: listener) == 2)
    withExtendedLifetime((fourth, sixth)) {}
  }

  /// Another server at one of two addresses would answer some of the clients.
  @Test("a port must be free at all addresses") func aPortThatIsTakenAtOneAddressIsTaken() throws {
    let other = try listener(["127.0.0.2"])
    #expect(throws: (any Error).self) {
      try Listener(
        at: ["127.0.0.1", "127.0.0.2"].flatMap(SocketAddress.all), of: "test", port: other.port)
    }
    // The other address is released.
    #expect(throws: Never.self) {
      try Listener(at: SocketAddress.all(of: "127.0.0.1"), of: "test", port: other.port)
    }
  }

  @Test("a known host name gives each address once") func namesHaveTheirAddressesOnce() {
    let addresses = SocketAddress.all(of: "localhost")
    #expect(!addresses.isEmpty && Set(addresses).count == addresses.count)
    #expect(SocketAddress.all(of: "no.such.host.invalid").isEmpty)
  }
}
