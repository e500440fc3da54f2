import DepthBase
import DepthErrors
import SystemEssentials

/// Listening sockets, one for each address of a host, with the same port.
final class Listener: Sendable {
  private let descriptors: [Int32]
  /// A spare descriptor. If no descriptor is free, closing the spare makes room for a client that must receive an error.
  private let spare = Monitor(openSpare())
  /// The port, possibly chosen by the system.
  let port: Int

  /// Listens on all addresses of a name; `localhost` is `::1` and `127.0.0.1` on most machines.
  ///
  /// - Parameters:
  ///   - host: A name or address of this machine.
  ///   - port: The port; 0 lets the system choose.
  /// - Throws: `DepthError` with code `invalidArgument` for a host that is not this machine; with code `unreadable` if the
  ///   port is occupied at one of the addresses.
  convenience init(host: String, port: Int) throws {
    try self.init(at: SocketAddress.all(of: ServedHosts.bare(host)), of: host, port: port)
  }

  /// Listens on the addresses of a host.
  init(at addresses: [SocketAddress], of host: String, port: Int) throws {
    guard !addresses.isEmpty else { throw Self.anotherMachine(host) }
    (descriptors, self.port) = try Self.listen(at: addresses, of: host, port: port)
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
    spare.update { if $0 >= 0 { close($0) } }
  }

  private static func openSpare() -> Int32 { unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) }

  private static func listen(
    at addresses: [SocketAddress], of host: String, port: Int, attempts: Int = 10
  ) throws -> ([Int32], port: Int) {
    var (descriptors, chosen): ([Int32], Int) = ([], port)
    var reason = EADDRNOTAVAIL
    for address in addresses {
      if let descriptor = address.listeningSocket(port: chosen, isAlone: addresses.count == 1) {
        descriptors.append(descriptor)
        if chosen == 0 { chosen = SocketAddress.port(of: descriptor) ?? 0 }
        continue
      }
      reason = errno
      // Names may have IPv6 addresses even on machines without IPv6.
      if reason == EADDRNOTAVAIL || reason == EAFNOSUPPORT { continue }
      for descriptor in descriptors { close(descriptor) }
      // A port that the system chose for the first address may be occupied at another address.
      guard port == 0, !descriptors.isEmpty, attempts > 1 else { throw failure(host, port, reason) }
      return try listen(at: addresses, of: host, port: port, attempts: attempts - 1)
    }
    guard !descriptors.isEmpty else { throw failure(host, port, reason) }
    return (descriptors, chosen)
  }

  /// Waits for clients.
  ///
  /// - Returns: At most one client per address; empty after `patience` without a client.
  func next(patience: Duration) -> [Connection] {
    var wanted = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard unsafe poll(&wanted, nfds_t(wanted.count), Int32(patience / .milliseconds(1))) > 0
    else { return [] }
    return wanted.filter { $0.revents != 0 }.compactMap { accept($0.fd) }
  }

  private func accept(_ descriptor: Int32) -> Connection? {
    let client = OwnDescriptor.accept(from: descriptor)
    guard client >= 0 else {
      if errno == EMFILE || errno == ENFILE { refuse(at: descriptor) }
      return nil
    }
    return Connection(descriptor: client)
  }

  /// Rejects a client if no descriptors are free. Otherwise `poll` would report the same client again immediately.
  private func refuse(at descriptor: Int32) {
    spare.update { spare in
      if spare >= 0 { close(spare) }
      if !Self.refuseNext(of: descriptor) { usleep(50_000) }
      spare = Self.openSpare()
    }
  }

  private static func refuseNext(of descriptor: Int32) -> Bool {
    let client = OwnDescriptor.accept(from: descriptor)
    guard client >= 0 else { return false }
    let connection = Connection(descriptor: client)
    let answer = HTTPServer.tooManyConnections
    let bytes = answer.head(length: answer.body.count, keepsAlive: false) + answer.body
    try? connection.write(bytes, until: .now)
    connection.closeSide()
    // A client that is still sending would lose the response.
    Connection.awaitBytes(of: [connection], upTo: .milliseconds(50))
    _ = connection.discard()
    return true
  }

  private static func failure(_ host: String, _ port: Int, _ reason: Int32) -> DepthError {
    guard reason != EADDRNOTAVAIL else { return anotherMachine(host) }
    return DepthError(
      .unreadable, "cannot listen at \(host):\(port): \(systemReason(reason))",
      cause: reason == EADDRINUSE || reason == EACCES ? SettingAtFault.port : nil)
  }

  private static func anotherMachine(_ host: String) -> DepthError {
    .invalidArgument(
      name: "the host", found: host, expected: "a name or an address of this machine")
  }
}
