import DepthErrors
import SystemEssentials

/// A socket that takes connections.
final class Listener: Sendable {
  private let descriptor: Int32
  /// The port, also where the system chose it.
  let port: Int

  /// Listens at an address of this machine.
  ///
  /// - Parameters:
  ///   - host: A name or a number of this machine.
  ///   - port: 0 leaves the choice to the system.
  /// - Throws: `DepthError` with code `invalidArgument` for a host that is not this machine, and with code
  ///   `unreadable` for a port that is taken.
  init(host: String, port: Int) throws {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = AI_PASSIVE
    #if canImport(Glibc)
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      unsafe hints.ai_socktype = SOCK_STREAM
    #endif
    var found: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(ServedHosts.bare(host), "\(port)", &hints, &found) == 0,
      let address = unsafe found
    else { throw Self.anotherMachine(host) }
    defer { unsafe freeaddrinfo(found) }
    let descriptor = unsafe socket(
      address.pointee.ai_family, address.pointee.ai_socktype, address.pointee.ai_protocol)
    guard descriptor >= 0 else { throw Self.failure(host, port) }
    var on: Int32 = 1
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard unsafe bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0,
      listen(descriptor, 64) == 0
    else {
      let failure = Self.failure(host, port)
      close(descriptor)
      throw failure
    }
    self.descriptor = descriptor
    var (name, length) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
    let isKnown = unsafe withUnsafeMutablePointer(to: &name) { name in
      unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &length) == 0
      }
    }
    // Both families have the port in the third and fourth byte.
    let bytes = unsafe withUnsafeBytes(of: &name) { unsafe [$0[2], $0[3]] }
    self.port = isKnown ? Int(bytes[0]) << 8 | Int(bytes[1]) : port
  }

  deinit { close(descriptor) }

  /// Waits for a client.
  ///
  /// - Returns: `nil` after `patience` without one.
  func next(patience: Duration) -> Connection? {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&wanted, 1, Int32(patience / .milliseconds(1))) > 0 else { return nil }
    let client = accept(descriptor, nil, nil)
    guard client >= 0 else {
      // Without free descriptors `poll` returns at once, again and again.
      if errno == EMFILE || errno == ENFILE { usleep(50_000) }
      return nil
    }
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    return Connection(descriptor: client)
  }

  private static func failure(_ host: String, _ port: Int) -> DepthError {
    guard errno != EADDRNOTAVAIL else { return anotherMachine(host) }
    return DepthError(.unreadable, "cannot listen at \(host):\(port): \(systemReason())")
  }

  private static func anotherMachine(_ host: String) -> DepthError {
    .invalidArgument(
      name: "the host", found: host, expected: "a name or an address of this machine")
  }
}
