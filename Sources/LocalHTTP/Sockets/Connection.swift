import Synchronization
import SystemEssentials

/// A reason why bytes can no longer be received or sent.
enum ConnectionFailure: Error {
  /// The deadline has passed.
  case timeout
  /// The client closed the connection.
  case gone
}

/// A TCP connection to a client, with deadlines for reads and writes.
final class Connection: Sendable {
  typealias Moment = ContinuousClock.Instant

  private let descriptor: Int32
  /// The client's IPv4 address or IPv6 network; empty if there is none.
  let address: [UInt8]
  private let recent = Mutex(RecentBytes())

  /// - Parameter descriptor: An accepted socket, which the connection closes.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    address = Self.address(of: descriptor)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    var on: Int32 = 1
    // Each response is written as a whole, so waiting for more data would only delay it.
    unsafe setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    #if canImport(Darwin)
      // This option replaces MSG_NOSIGNAL: writing to a closed connection fails without a signal.
      unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { close(descriptor) }

  /// Reads the available bytes, at most `count`.
  ///
  /// - Throws: ``ConnectionFailure``.
  func read(upTo count: Int, until end: Moment) throws(ConnectionFailure) -> [UInt8] {
    while true {
      try wait(for: POLLIN, until: end)
      var received = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        received = unsafe recv(descriptor, buffer.baseAddress, count, 0)
        filled = max(received, 0)
      }
      if received > 0 {
        recent.withLock { $0.add(received) }
        return bytes
      }
      guard received < 0, errno == EINTR || errno == EAGAIN else { throw .gone }
    }
  }

  /// Writes all bytes.
  ///
  /// - Throws: ``ConnectionFailure``.
  func write(_ bytes: [UInt8], until end: Moment) throws(ConnectionFailure) {
    try write(bytes) { _ in end }
  }

  /// Writes all bytes.
  ///
  /// - Parameter end: The deadline for further bytes, given the number of bytes written.
  /// - Throws: ``ConnectionFailure``.
  func write(_ bytes: [UInt8], until end: (_ done: Int) -> Moment) throws(ConnectionFailure) {
    var done = 0
    while done < bytes.count {
      try wait(for: POLLOUT, until: end(done))
      let sent = unsafe bytes.withUnsafeBytes {
        unsafe send(
          descriptor, $0.baseAddress.map { unsafe $0 + done }, bytes.count - done, Self.noSignal)
      }
      if sent >= 0 {
        done += sent
        recent.withLock { $0.add(sent) }
      } else if errno != EINTR, errno != EAGAIN {
        throw .gone
      }
    }
  }

  /// The state of the client's side.
  enum Presence {
    case there, gone
    /// The client has closed its sending side, or the whole connection.
    case silent
  }

  /// The state of the client's side, checked without waiting.
  var presence: Presence {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&wanted, 1, 0) > 0 else { return .there }
    if wanted.revents & Int16(POLLERR | POLLHUP) != 0 { return .gone }
    var byte: UInt8 = 0
    let count = unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    if count == 0 { return .silent }
    return count < 0 && errno != EINTR && errno != EAGAIN ? .gone : .there
  }

  /// Whether received bytes are unread.
  var hasUnreadBytes: Bool {
    var byte: UInt8 = 0
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
  }

  /// Whether bytes can be sent without waiting.
  var takesBytes: Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&wanted, 1, 0) > 0 && wanted.revents & Int16(POLLERR | POLLHUP) == 0
  }

  /// Bytes received and sent in the last ten seconds.
  func recentBytes(at now: Moment = .now) -> Int { recent.withLock { $0.total(at: now) } }

  /// Discards available bytes, at most a megabyte.
  ///
  /// - Returns: `false` if the client has closed its sending side.
  func discard() -> Bool {
    for _ in 0..<16 {
      let count = unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) {
        unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
      }
      if count == 0 { return false }
      if count < 0 { return errno == EINTR || errno == EAGAIN }
    }
    return true
  }

  /// Waits until one of several clients has sent bytes or disconnected.
  static func awaitBytes(of connections: [Connection], upTo time: Duration) {
    var wanted = connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    unsafe poll(&wanted, nfds_t(wanted.count), Int32(time / .milliseconds(1)))
  }

  /// Closes the sending side and keeps reading briefly. A client that is still sending then receives the response.
  func finish() {
    closeSide()
    let end = Moment.now + .seconds(1)
    for _ in 0..<1024 {
      guard (try? read(upTo: 1 << 16, until: end)) != nil else { return }
    }
  }

  /// Closes the sending side.
  func closeSide() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Shuts down both directions, which wakes the threads that wait for the client.
  func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// The client's numeric address, such as `127.0.0.1`; empty if there is none.
  var number: String {
    guard let peer = Self.peer(of: descriptor),
      peer.name.ss_family == AF_INET || peer.name.ss_family == AF_INET6
    else { return "" }
    var name = peer.name
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let isKnown = unsafe withUnsafeMutablePointer(to: &name) { name in
      unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getnameinfo($0, peer.length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
          == 0
      }
    }
    guard isKnown else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The socket address of the client; `nil` if the client has disconnected.
  private static func peer(
    of descriptor: Int32
  ) -> (name: sockaddr_storage, length: socklen_t)? {
    var (name, length) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
    let isKnown = unsafe withUnsafeMutablePointer(to: &name) { name in
      unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getpeername(descriptor, $0, &length) == 0
      }
    }
    return isKnown ? (name, length) : nil
  }

  private static func address(of descriptor: Int32) -> [UInt8] {
    guard var name = peer(of: descriptor)?.name else { return [] }
    let family = Int32(name.ss_family)
    return unsafe withUnsafeBytes(of: &name) { bytes in
      switch family {
      case AF_INET: unsafe Array(bytes[4..<8])
      case AF_INET6: unsafe Array(bytes[8..<16])
      default: []
      }
    }
  }

  /// Shuts down the receiving side, which wakes the threads that wait for bytes.
  func interrupt() { shutdown(descriptor, Int32(SHUT_RD)) }

  private func wait(for events: Int32, until end: Moment) throws(ConnectionFailure) {
    while true {
      let left = Moment.now.duration(to: end)
      // Available bytes count as received in time, even if a slow machine checks late.
      let milliseconds =
        left > .zero ? Int32(min(left / .milliseconds(1), 3_600_000)) + 1 : 0
      var wanted = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let count = unsafe poll(&wanted, 1, milliseconds)
      if count > 0 { return }
      guard count == 0 || errno == EINTR else { throw .gone }
      guard left > .zero else { throw .timeout }
    }
  }

  #if canImport(Darwin)
    private static let noSignal: Int32 = 0
  #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #endif
}
