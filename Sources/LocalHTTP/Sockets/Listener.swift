import DepthBase
import DepthErrors
import SystemEssentials

/// Sockets that take connections: one for each address of a host, all with one port.
final class Listener: Sendable {
  private let descriptors: [Int32]
  /// The port, also where the system chose it.
  let port: Int

  /// Listens at all addresses of a name: `localhost` is `::1` and `127.0.0.1` on most machines.
  ///
  /// - Parameters:
  ///   - host: A name or a number of this machine.
  ///   - port: 0 leaves the choice to the system.
  /// - Throws: `DepthError` with code `invalidArgument` for a host that is not this machine, and with code
  ///   `unreadable` for a port that is taken at one of the addresses.
  convenience init(host: String, port: Int) throws {
    try self.init(at: SocketAddress.all(of: ServedHosts.bare(host)), of: host, port: port)
  }

  /// Listens at the addresses of a host.
  init(at addresses: [SocketAddress], of host: String, port: Int) throws {
    guard !addresses.isEmpty else { throw Self.anotherMachine(host) }
    (descriptors, self.port) = try Self.listen(at: addresses, of: host, port: port)
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

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
      // A machine without IPv6 has names with addresses of it all the same.
      if reason == EADDRNOTAVAIL || reason == EAFNOSUPPORT { continue }
      for descriptor in descriptors { close(descriptor) }
      // The port that the system chose at the first address may be taken at another one.
      guard port == 0, !descriptors.isEmpty, attempts > 1 else { throw failure(host, port, reason) }
      return try listen(at: addresses, of: host, port: port, attempts: attempts - 1)
    }
    guard !descriptors.isEmpty else { throw failure(host, port, reason) }
    return (descriptors, chosen)
  }

  /// Waits for clients.
  ///
  /// - Returns: One of each address that has one; none after `patience` without any.
  func next(patience: Duration) -> [Connection] {
    var wanted = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard unsafe poll(&wanted, nfds_t(wanted.count), Int32(patience / .milliseconds(1))) > 0
    else { return [] }
    return wanted.filter { $0.revents != 0 }.compactMap { Self.accept($0.fd) }
  }

  private static func accept(_ descriptor: Int32) -> Connection? {
    let client = OwnDescriptor.accept(from: descriptor)
    guard client >= 0 else {
      // Without free descriptors `poll` returns at once, again and again.
      if errno == EMFILE || errno == ENFILE { usleep(50_000) }
      return nil
    }
    return Connection(descriptor: client)
  }

  private static func failure(_ host: String, _ port: Int, _ reason: Int32) -> DepthError {
    guard reason != EADDRNOTAVAIL else { return anotherMachine(host) }
    return DepthError(.unreadable, "cannot listen at \(host):\(port): \(systemReason(reason))")
  }

  private static func anotherMachine(_ host: String) -> DepthError {
    .invalidArgument(
      name: "the host", found: host, expected: "a name or an address of this machine")
  }
}
