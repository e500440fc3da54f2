/// The connections of a server, with the phase and the bytes of each connection's next request.
///
/// Bytes count when they arrive, not when a client announces them. Slow clients are evicted only if connections or bytes
/// are scarce.
struct ConnectionTable: Sendable {
  typealias Moment = ContinuousClock.Instant

  /// The phase of a connection's next request.
  enum Phase {
    /// The connection is new, and no byte has arrived.
    case fresh
    /// The head has not arrived completely.
    case waiting
    /// The body is being received.
    case receiving
    /// The response is being produced.
    case working
    /// The response is being sent.
    case answering
  }

  /// The quota for a request's bytes.
  enum Room {
    /// Reserved for bodies of at most ``HTTPLimits/smallBytes``.
    case reserve
    case general
  }

  struct Entry {
    let connection: Connection
    fileprivate(set) var phase: Phase
    /// The start of the phase.
    fileprivate(set) var since: Moment
    /// Bytes of the body, and later bytes of the response.
    fileprivate(set) var bytes = 0
    fileprivate(set) var room = Room.general
    /// Whether the request occupies a slot that is not reserved for small requests.
    fileprivate(set) var isLarge = false
  }

  let limits: HTTPLimits
  private(set) var entries: [ObjectIdentifier: Entry] = [:]
  /// The connections evicted since ``takeEvicted()``.
  private var evicted: [Entry] = []

  init(_ limits: HTTPLimits) { self.limits = limits }

  /// Removes and returns the evicted connections, whose clients are informed outside the table's lock.
  mutating func takeEvicted() -> [Entry] {
    defer { evicted = [] }
    return evicted
  }

  // MARK: Places

  /// Adds a new connection.
  ///
  /// - Returns: `false` if all slots are occupied and no connection can be evicted.
  mutating func add(_ connection: Connection, at now: Moment = .now) -> Bool {
    if entries.count >= limits.connections {
      guard giveWay(at: now, among: { _ in true }) != nil else { return false }
    }
    insert(connection, at: now)
    return true
  }

  /// Adds a connection beyond the limit.
  mutating func insert(_ connection: Connection, at now: Moment = .now) {
    entries[ObjectIdentifier(connection)] = Entry(
      connection: connection, phase: .fresh, since: now)
  }

  mutating func remove(_ connection: Connection) {
    entries[ObjectIdentifier(connection)] = nil
  }

  /// Removes a connection and records it as evicted.
  mutating func evict(_ entry: Entry) {
    remove(entry.connection)
    evicted.append(entry)
  }

  func contains(_ connection: Connection) -> Bool {
    entries[ObjectIdentifier(connection)] != nil
  }

  /// Records the first byte of a new connection. The waiting time began with the connection, not with the connection's
  /// thread.
  mutating func begin(_ connection: Connection) {
    change(connection) { if $0.phase == .fresh { $0.phase = .waiting } }
  }

  /// Moves a connection to another phase and resets its bytes, after the head and after the end of a request.
  mutating func pass(_ connection: Connection, to phase: Phase, at now: Moment = .now) {
    change(connection) { entry in
      guard phase != .waiting || entry.phase != .fresh else { return }
      if phase != entry.phase { entry.since = now }
      (entry.phase, entry.bytes, entry.isLarge) = (phase, 0, false)
    }
  }

  /// Admits a request before any byte of its body is read.
  ///
  /// - Parameter body: The body. A body without a length counts as small until it exceeds the size of small bodies.
  /// - Returns: `false` if there are too many requests.
  mutating func enter(
    _ connection: Connection, _ body: HTTPRequestHead.Body, at now: Moment = .now
  ) -> Bool {
    let bytes = if case .bytes(let count) = body { count } else { 0 }
    let isSmall = bytes <= limits.smallBytes
    if body == .bytes(0) { return work(connection, at: now) }
    guard isSmall || bytes <= limits.bodyBytesTogether else { return false }
    change(connection) { entry in
      (entry.phase, entry.since) = (.receiving, now)
      entry.room = isSmall ? .reserve : .general
    }
    return isSmall || takeLargePlace(connection, at: now)
  }

  /// Occupies a slot that is not reserved for small requests.
  private mutating func takeLargePlace(_ connection: Connection, at now: Moment) -> Bool {
    if entries.values.count(where: \.isLarge) >= limits.connections - limits.reservedConnections {
      guard giveWay(at: now, among: { $0.isLarge }) != nil else { return false }
    }
    change(connection) { $0.isLarge = true }
    return contains(connection)
  }

  // MARK: Bytes

  /// Counts received bytes of a body.
  ///
  /// - Returns: `false` if the total would exceed the limit, or if this connection was evicted.
  mutating func grow(_ connection: Connection, by count: Int, at now: Moment = .now) -> Bool {
    guard var entry = entries[ObjectIdentifier(connection)] else { return false }
    let isSmall = entry.bytes + count <= limits.smallBytes
    if !isSmall, !entry.isLarge, !takeLargePlace(connection, at: now) { return false }
    let isReserveFull = !hasRoom(for: count, in: .reserve)
    if entry.room == .reserve,
      !isSmall || isReserveFull && hasRoom(for: entry.bytes + count, in: .general)
    {
      change(connection) { $0.room = .general }
      entry.room = .general
    }
    let room = entry.room
    while !hasRoom(for: count, in: room) {
      // Evictions cannot make room for a body that alone exceeds the quota.
      guard bytes(in: room) > entry.bytes,
        giveWay(at: now, among: { $0.room == room && $0.bytes > 0 }) != nil, contains(connection)
      else { return false }
    }
    change(connection) { $0.bytes += count }
    return true
  }

  private func hasRoom(for count: Int, in room: Room) -> Bool {
    let limit = room == .reserve ? limits.reservedBytes : limits.bodyBytesTogether
    return count <= limit - bytes(in: room)
  }

  private func bytes(in room: Room) -> Int {
    entries.values.reduce(0) { $0 + ($1.room == room ? $1.bytes : 0) }
  }

  /// Starts the work on a request with a complete body.
  ///
  /// - Returns: `false` if there are too many requests, or if this connection was evicted.
  mutating func work(_ connection: Connection, at now: Moment = .now) -> Bool {
    guard contains(connection),
      entries.values.count(where: { $0.phase == .working }) < limits.requests
    else { return false }
    change(connection) { ($0.phase, $0.since) = (.working, now) }
    return true
  }

  /// Ends the work on a request, so that work on another request may start. The response's bytes count until the
  /// response is sent.
  ///
  /// A finished response is sent even beyond the limit. Other connections are evicted instead: slow connections at once,
  /// the largest connection if responses would exceed twice the limit.
  mutating func answer(_ connection: Connection, bytes count: Int, at now: Moment = .now) {
    let isLarge = count > limits.smallBytes
    change(connection) { entry in
      (entry.phase, entry.since) = (.answering, now)
      (entry.bytes, entry.room, entry.isLarge) = (count, .general, isLarge)
    }
    let id = ObjectIdentifier(connection)
    let others: (Entry) -> Bool = {
      $0.room == .general && $0.bytes > 0 && ObjectIdentifier($0.connection) != id
    }
    let places = limits.connections - limits.reservedConnections
    while bytes(in: .general) > limits.bodyBytesTogether
      || entries.values.count(where: \.isLarge) > places
    {
      let isFar = bytes(in: .general) > 2 * limits.bodyBytesTogether
      guard giveWay(at: now, isSlow: !isFar, among: others) != nil else { return }
    }
  }

  private mutating func change(_ connection: Connection, _ body: (inout Entry) -> Void) {
    guard var entry = entries[ObjectIdentifier(connection)] else { return }
    body(&entry)
    entries[ObjectIdentifier(connection)] = entry
  }
}
