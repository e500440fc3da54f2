/// The connections of a server: how far the next request of each has come, and the bytes that it holds.
///
/// Bytes count as they come, not as a client announces them. Where connections or bytes are short, and only then, a slow
/// client gives way.
struct ConnectionTable: Sendable {
  typealias Moment = ContinuousClock.Instant

  /// The stage of a connection's next request.
  enum Phase {
    /// No byte of it has come on a new connection.
    case fresh
    /// Its head has not come, or not all of it.
    case waiting
    /// Its body is received.
    case receiving
    /// Its answer is made.
    case working
    /// Its answer is sent.
    case answering
  }

  /// The store that a request's bytes count in.
  enum Room {
    /// Kept for bodies of at most ``HTTPLimits/smallBytes``.
    case reserve
    case general
  }

  struct Entry {
    let connection: Connection
    fileprivate(set) var phase: Phase
    /// The beginning of the phase.
    fileprivate(set) var since: Moment
    /// Bytes of its body, later of its answer.
    fileprivate(set) var bytes = 0
    fileprivate(set) var room = Room.general
    /// Whether it takes one of the places that are not kept for small requests.
    fileprivate(set) var isLarge = false
  }

  let limits: HTTPLimits
  private(set) var entries: [ObjectIdentifier: Entry] = [:]
  /// The connections that gave way since ``takeEvicted()``.
  private var evicted: [Entry] = []

  init(_ limits: HTTPLimits) { self.limits = limits }

  /// The connections that gave way, which are no longer in the table; their clients are told outside of its lock.
  mutating func takeEvicted() -> [Entry] {
    defer { evicted = [] }
    return evicted
  }

  // MARK: Places

  /// Takes a new connection.
  ///
  /// - Returns: `false` where all places are taken and nobody gives way.
  mutating func add(_ connection: Connection, at now: Moment = .now) -> Bool {
    if entries.count >= limits.connections {
      guard giveWay(at: now, among: { _ in true }) != nil else { return false }
    }
    insert(connection, at: now)
    return true
  }

  /// Takes a connection beyond the places.
  mutating func insert(_ connection: Connection, at now: Moment = .now) {
    entries[ObjectIdentifier(connection)] = Entry(
      connection: connection, phase: .fresh, since: now)
  }

  mutating func remove(_ connection: Connection) {
    entries[ObjectIdentifier(connection)] = nil
  }

  /// Takes out a connection that gives way.
  mutating func evict(_ entry: Entry) {
    remove(entry.connection)
    evicted.append(entry)
  }

  func contains(_ connection: Connection) -> Bool {
    entries[ObjectIdentifier(connection)] != nil
  }

  /// The first byte of a new connection has come. It waits since it was taken, whenever its thread has begun.
  mutating func begin(_ connection: Connection) {
    change(connection) { if $0.phase == .fresh { $0.phase = .waiting } }
  }

  /// The head of a request has come, or the request is over: a connection goes to another phase and holds nothing.
  mutating func pass(_ connection: Connection, to phase: Phase, at now: Moment = .now) {
    change(connection) { entry in
      guard phase != .waiting || entry.phase != .fresh else { return }
      if phase != entry.phase { entry.since = now }
      (entry.phase, entry.bytes, entry.isLarge) = (phase, 0, false)
    }
  }

  /// Lets a request in, before any byte of its body is read.
  ///
  /// - Parameter body: Its body; one that does not say its length is small until it has grown.
  /// - Returns: `false` where there are too many already.
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

  /// Takes a place that is not kept for small requests.
  private mutating func takeLargePlace(_ connection: Connection, at now: Moment) -> Bool {
    if entries.values.count(where: \.isLarge) >= limits.connections - limits.reservedConnections {
      guard giveWay(at: now, among: { $0.isLarge }) != nil else { return false }
    }
    change(connection) { $0.isLarge = true }
    return contains(connection)
  }

  // MARK: Bytes

  /// So many bytes more of a body have come.
  ///
  /// - Returns: `false` where all bodies together have too many, or the connection has given way itself.
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
      // Alone, it is not slow but too long.
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

  /// The body is there, and the request is to be worked on.
  ///
  /// - Returns: `false` where there are too many requests already, or the connection has given way.
  mutating func work(_ connection: Connection, at now: Moment = .now) -> Bool {
    guard contains(connection),
      entries.values.count(where: { $0.phase == .working }) < limits.requests
    else { return false }
    change(connection) { ($0.phase, $0.since) = (.working, now) }
    return true
  }

  /// The work is done, so that another request may be worked on; the answer's bytes count until it is sent.
  ///
  /// An answer that is made is sent, even beyond the limit: others give way, the slow ones at once, the largest where the
  /// answers would take twice the room.
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
