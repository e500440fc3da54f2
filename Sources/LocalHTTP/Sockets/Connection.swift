import Synchronization
import SystemEssentials

/// Why nothing more comes from a client, or goes to it.
enum ConnectionFailure: Error {
  /// It took longer than it may.
  case timeout
  /// The client closed the connection.
  case gone
}

/// A client's end of a TCP connection; reads and writes wait no longer than until a moment.
final class Connection: Sendable {
  typealias Moment = ContinuousClock.Instant

  private let descriptor: Int32
  /// The client's address; of IPv6 the network. Empty where there is none.
  let address: [UInt8]
  private let recent = Mutex(RecentBytes())

  /// - Parameter descriptor: An accepted socket, which the connection closes.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    address = Self.address(of: descriptor)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    var on: Int32 = 1
    // Answers are written whole; nothing is won by waiting for more.
    unsafe setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    #if canImport(Darwin)
      // In place of MSG_NOSIGNAL: a client that has gone is an error of the call.
      unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { close(descriptor) }

  /// Reads what is there, at most `count` bytes.
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
  /// - Parameter end: The moment until which more must go, given how many have gone.
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

  /// The client's presence.
  enum Presence {
    case there, gone
    /// It sends nothing more; it has closed its side, or all of it.
    case silent
  }

  /// Looks at the client without waiting.
  var presence: Presence {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&wanted, 1, 0) > 0 else { return .there }
    if wanted.revents & Int16(POLLERR | POLLHUP) != 0 { return .gone }
    var byte: UInt8 = 0
    let count = unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    if count == 0 { return .silent }
    return count < 0 && errno != EINTR && errno != EAGAIN ? .gone : .there
  }

  /// Whether the client has sent something that nobody has read.
  var hasUnreadBytes: Bool {
    var byte: UInt8 = 0
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
  }

  /// Whether the client has room for bytes that nobody has sent.
  var takesBytes: Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&wanted, 1, 0) > 0 && wanted.revents & Int16(POLLERR | POLLHUP) == 0
  }

  /// Bytes that have come or gone in the last ten seconds.
  func recentBytes(at now: Moment = .now) -> Int { recent.withLock { $0.total(at: now) } }

  /// Reads what is there without keeping it, at most a megabyte.
  ///
  /// - Returns: `false` where the client sends no more.
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

  /// Waits until one of some clients has sent something or left.
  static func awaitBytes(of connections: [Connection], upTo time: Duration) {
    var wanted = connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    unsafe poll(&wanted, nfds_t(wanted.count), Int32(time / .milliseconds(1)))
  }

  /// Ends our side, and reads on for a moment: a client that still sends would lose the answer otherwise.
  func finish() {
    closeSide()
    let end = Moment.now + .seconds(1)
    for _ in 0..<1024 {
      guard (try? read(upTo: 1 << 16, until: end)) != nil else { return }
    }
  }

  /// Sends nothing more.
  func closeSide() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends both sides, which wakes the threads that wait for the client.
  func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// The client's numeric address, such as `127.0.0.1`; empty where there is none.
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

  /// The socket address of the other side; `nil` where there is none any more.
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

  /// Wakes the threads that wait for the client.
  func interrupt() { shutdown(descriptor, Int32(SHUT_RD)) }

  private func wait(for events: Int32, until end: Moment) throws(ConnectionFailure) {
    while true {
      let left = Moment.now.duration(to: end)
      // What is there already is in time, however late a slow machine comes to look.
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
