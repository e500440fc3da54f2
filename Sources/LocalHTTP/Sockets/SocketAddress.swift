import SystemEssentials

/// An address of this machine for listening sockets.
struct SocketAddress: Hashable {
  private let family: Int32
  /// `sockaddr_in` or `sockaddr_in6`.
  private let bytes: [UInt8]

  /// The addresses of a name without duplicates; empty for a name without addresses.
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

  /// Opens a listening socket on the address.
  ///
  /// - Parameters:
  ///   - port: The port; 0 lets the system choose.
  ///   - isAlone: Whether an IPv6 socket may also accept IPv4 connections, as at `::`.
  /// - Returns: The socket; `nil` on failure, with the reason in `errno`.
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
    // Both families store the port in the third and fourth bytes.
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

  /// The port of a socket; `nil` if unknown.
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
