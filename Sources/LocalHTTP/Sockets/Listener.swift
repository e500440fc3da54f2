import DepthBase
import DepthErrors
import SystemEssentials

/// Sockets that take connections: one for each address of a host, all with one port.
final class Listener: Sendable {
  private let descriptors: [Int32]
  /// A descriptor that is given up where there are no others, so that one more client can be told so.
  private let spare = Monitor(openSpare())
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

  /// Tells a client that there are no descriptors: `poll` would find it again and again.
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
    // A client that still sends would lose the answer.
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

/// An address of this machine that a socket can listen at.
struct SocketAddress: Hashable {
  private let family: Int32
  /// `sockaddr_in` or `sockaddr_in6`.
  private let bytes: [UInt8]

  /// The addresses of a name, without repetitions; none if it has none.
  static func all(of host: String) -> [SocketAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = AI_PASSIVE
    unsafe hints.ai_socktype = stream
    var found: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, "0", &hints, &found) == 0 else { return [] }
    defer { unsafe freeaddrinfo(found) }
    var addresses: [SocketAddress] = []
    var next = unsafe found
    while let entry = unsafe next {
      unsafe next = entry.pointee.ai_next
      guard unsafe [AF_INET, AF_INET6].contains(entry.pointee.ai_family),
        let name = unsafe entry.pointee.ai_addr
      else { continue }
      let address = unsafe SocketAddress(
        family: entry.pointee.ai_family,
        bytes: Array(
          UnsafeRawBufferPointer(start: name, count: Int(entry.pointee.ai_addrlen))))
      if !addresses.contains(address) { addresses.append(address) }
    }
    return addresses
  }

  /// Listens at it.
  ///
  /// - Parameters:
  ///   - port: 0 leaves the choice to the system.
  ///   - isAlone: Whether IPv6 may take connections of IPv4 too, as it does at `::`.
  /// - Returns: The socket; `nil` with the reason in `errno`.
  func listeningSocket(port: Int, isAlone: Bool) -> Int32? {
    let descriptor = socket(family, Self.stream | Self.closedOnExec, 0)
    guard descriptor >= 0 else { return nil }
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    #endif
    var on: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
    if family == AF_INET6, !isAlone {
      unsafe setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, size)
    }
    var bytes = bytes
    // Both families have the port in the third and fourth byte.
    (bytes[2], bytes[3]) = (UInt8(port >> 8 & 0xFF), UInt8(port & 0xFF))
    let isBound = unsafe bytes.withUnsafeBytes { name in
      unsafe bind(
        descriptor, name.baseAddress!.assumingMemoryBound(to: sockaddr.self),
        socklen_t(name.count)) == 0
    }
    guard isBound, listen(descriptor, 1024) == 0 else {
      let reason = errno
      close(descriptor)
      errno = reason
      return nil
    }
    return descriptor
  }

  /// The port of a socket; `nil` if the system does not say.
  static func port(of descriptor: Int32) -> Int? {
    var (name, length) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
    let isKnown = unsafe withUnsafeMutablePointer(to: &name) { name in
      unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &length) == 0
      }
    }
    let bytes = unsafe withUnsafeBytes(of: &name) { unsafe [$0[2], $0[3]] }
    return isKnown ? Int(bytes[0]) << 8 | Int(bytes[1]) : nil
  }

  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let closedOnExec = Int32(SOCK_CLOEXEC.rawValue)
  #elseif canImport(Darwin)
    private static let stream = SOCK_STREAM
    private static let closedOnExec: Int32 = 0
  #else
    private static let stream = SOCK_STREAM
    private static let closedOnExec = SOCK_CLOEXEC
  #endif
}
