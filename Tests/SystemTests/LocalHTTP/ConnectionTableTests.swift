import SystemEssentials
import Testing

@testable import LocalHTTP

/// A table that tests change inside their expectations.
final class SharedTable {
  private(set) var table: ConnectionTable

  init(_ limits: HTTPLimits) { table = ConnectionTable(limits) }

  func add(_ connection: Connection, at now: ContinuousClock.Instant = .now) -> Bool {
    table.add(connection, at: now)
  }

  func begin(_ connection: Connection) { table.begin(connection) }

  func enter(
    _ connection: Connection, _ body: HTTPRequestHead.Body, at now: ContinuousClock.Instant = .now
  ) -> Bool {
    table.enter(connection, body, at: now)
  }

  func grow(
    _ connection: Connection, by count: Int, at now: ContinuousClock.Instant = .now
  ) -> Bool {
    table.grow(connection, by: count, at: now)
  }

  func work(_ connection: Connection) -> Bool { table.work(connection) }

  func answer(
    _ connection: Connection, bytes: Int, at now: ContinuousClock.Instant = .now
  ) { table.answer(connection, bytes: bytes, at: now) }

  /// The connections closed since the last call.
  func takeEvicted() -> [Connection] { table.takeEvicted().map(\.connection) }

  func contains(_ connection: Connection) -> Bool { table.contains(connection) }
}

/// Shared places and memory of connections, and the choice of a connection to close.
@Suite struct ConnectionTableTests {
  /// A connection whose other end reads nothing.
  private final class Peer {
    let connection: Connection
    private let client: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      client = ends[0]
      connection = Connection(descriptor: ends[1])
    }

    deinit { close(client) }

    /// The client reads this many kilobytes.
    func take(_ kilobytes: Int) throws {
      for _ in 0..<kilobytes {
        try connection.write([UInt8](repeating: 1, count: 1024), until: .now + .seconds(300))
        var bytes = [UInt8](repeating: 0, count: 1024)
        var read = 0
        while read < 1024 { read += recv(client, &bytes, 1024 - read, 0) }
      }
    }

    /// Fills the system's buffer for a client that does not read.
    func fill() {
      try? connection.write([UInt8](repeating: 1, count: 1 << 22), until: .now)
    }
  }

  private func table(_ change: (inout HTTPLimits) -> Void = { _ in }) -> SharedTable {
    var limits = HTTPLimits()
    (limits.bodyBytesTogether, limits.smallBytes, limits.reservedBytes) = (100, 10, 20)
    change(&limits)
    return SharedTable(limits)
  }

  private func peers(_ count: Int, in table: SharedTable) throws -> [Peer] {
    let peers = try (0..<count).map { _ in try Peer() }
    for peer in peers { #expect(table.add(peer.connection)) }
    return peers
  }

  private func evicted(_ table: SharedTable, of peers: [Peer]) -> [Int?] {
    table.takeEvicted().map { gone in peers.firstIndex { $0.connection === gone } }
  }

  private func isIn(_ table: SharedTable, _ peers: [Peer]) -> [Bool] {
    peers.map { table.contains($0.connection) }
  }

  @Test("bytes of a body count on arrival") func bytesCountAsTheyCome() throws {
    let table = table()
    let peers = try peers(3, in: table)
    for peer in peers { #expect(table.enter(peer.connection, .bytes(64))) }
    for (peer, bytes) in zip(peers, [30, 30, 40]) {
      #expect(table.grow(peer.connection, by: bytes))
    }
    // No connection is closed in its first second.
    #expect(!table.grow(peers[0].connection, by: 1))
    #expect(isIn(table, peers) == [true, true, true])
    #expect(!table.enter(peers[0].connection, .bytes(101)))
  }

  @Test("the slowest connection below the least rate is closed") func theSlowestGivesWay() throws {
    let table = table()
    let peers = try peers(3, in: table)
    for (peer, bytes) in zip(peers, [60, 20, 20]) {
      #expect(table.enter(peer.connection, .bytes(64)) && table.grow(peer.connection, by: bytes))
    }
    try peers[0].take(8)
    try peers[1].take(2)
    try peers[2].take(4)
    let later = ContinuousClock.now + .seconds(2)
    #expect(table.grow(peers[0].connection, by: 4, at: later))
    #expect(evicted(table, of: peers) == [1])
    // Connections are closed until there is room. Here, the growing connection is closed first.
    #expect(!table.grow(peers[2].connection, by: 17, at: later))
    #expect(evicted(table, of: peers) == [2])
    #expect(isIn(table, peers) == [true, false, false])
  }

  /// Among equal connections, the connection that has waited longest is closed.
  @Test("progress made over ten seconds ago does not count", arguments: [(2, 1), (12, 0)])
  func oldProgressDoesNotCount(seconds: Int, slowest: Int) throws {
    let table = table()
    let peers = try peers(2, in: table)
    for peer in peers {
      #expect(table.enter(peer.connection, .bytes(64)) && table.grow(peer.connection, by: 50))
    }
    try peers[0].take(2000)
    let later = ContinuousClock.now + .seconds(seconds)
    #expect(table.grow(peers[1].connection, by: 1, at: later) == (slowest == 0))
    #expect(evicted(table, of: peers) == [slowest])
  }

  @Test("the largest of several fast connections is closed")
  func theLargestOfQuickOnesGivesWay() throws {
    let table = table { $0.slowestRate = 1 }
    let peers = try peers(2, in: table)
    for (peer, bytes) in zip(peers, [40, 60]) {
      #expect(table.enter(peer.connection, .bytes(64)) && table.grow(peer.connection, by: bytes))
      try peer.take(1)
    }
    #expect(table.grow(peers[0].connection, by: 20, at: .now + .seconds(2)))
    #expect(evicted(table, of: peers) == [1])
  }

  @Test("small bodies have room beside a large body") func smallBodiesHaveRoomOfTheirOwn() throws {
    let table = table()
    let peers = try peers(5, in: table)
    #expect(table.enter(peers[0].connection, .bytes(100)))
    #expect(table.grow(peers[0].connection, by: 100) && table.work(peers[0].connection))
    let later = ContinuousClock.now + .seconds(20)
    #expect(table.enter(peers[1].connection, .bytes(11), at: later))
    #expect(!table.grow(peers[1].connection, by: 1, at: later))
    for peer in peers[2...3] {
      #expect(table.enter(peer.connection, .bytes(10), at: later))
      #expect(table.grow(peer.connection, by: 10, at: later))
    }
    // The reserve is full, too. After two seconds, a slow body in the reserve is closed.
    #expect(table.enter(peers[4].connection, .chunks, at: later))
    #expect(!table.grow(peers[4].connection, by: 1, at: later))
    #expect(table.grow(peers[4].connection, by: 1, at: later + .seconds(2)))
    #expect(evicted(table, of: peers).count == 1)
    #expect(isIn(table, [peers[0], peers[1], peers[4]]) == [true, true, true])
  }

  @Test("a growing body leaves room for small bodies") func growingBodiesLeaveRoom() throws {
    let table = table()
    let peers = try peers(2, in: table)
    #expect(table.enter(peers[0].connection, .chunks))
    #expect(table.grow(peers[0].connection, by: 10) && table.grow(peers[0].connection, by: 1))
    #expect(table.enter(peers[1].connection, .bytes(90)))
    #expect(table.grow(peers[1].connection, by: 89) && !table.grow(peers[1].connection, by: 1))
    #expect(table.table.entries.values.allSatisfy { $0.room == .general && $0.isLarge })
  }

  @Test("large bodies leave places for small bodies") func largeBodiesLeaveConnections() throws {
    let table = table { $0.connections = 32 }
    let peers = try peers(32, in: table)
    for peer in peers.prefix(30) { #expect(table.enter(peer.connection, .bytes(11))) }
    #expect(!table.enter(peers[30].connection, .bytes(11)))
    #expect(table.enter(peers[31].connection, .bytes(10)))
    #expect(table.enter(peers[30].connection, .bytes(11), at: .now + .seconds(2)))
    #expect(isIn(table, peers).count { !$0 } == 1 && isIn(table, [peers[30]]) == [true])
  }

  @Test("beyond the reserve, a small body takes general room")
  func aFullReserveTakesNoLargePlace() throws {
    let table = table { ($0.connections, $0.reservedBytes) = (16, 0) }
    let peers = try peers(16, in: table)
    for peer in peers.prefix(15) { #expect(table.enter(peer.connection, .bytes(11))) }
    #expect(table.enter(peers[15].connection, .bytes(10)))
    #expect(table.grow(peers[15].connection, by: 10))
  }

  @Test("the request limit bounds simultaneous work")
  func noMoreBodiesAreWorkedOnThanRequestsAllowed() throws {
    let table = table { $0.requests = 1 }
    let peers = try peers(2, in: table)
    for peer in peers { #expect(table.enter(peer.connection, .bytes(1))) }
    #expect(table.work(peers[0].connection) && !table.work(peers[1].connection))
    table.answer(peers[0].connection, bytes: 5)
    #expect(table.work(peers[1].connection))
  }

  @Test("too many answer bytes close the unread answer") func unreadAnswersGiveWay() throws {
    let table = table()
    let peers = try peers(3, in: table)
    peers[0].fill()
    for peer in peers.prefix(2) {
      #expect(table.enter(peer.connection, .bytes(0)))
      table.answer(peer.connection, bytes: 80)
    }
    #expect(isIn(table, peers) == [true, true, true])
    // The second client's buffer has room, so the second client is not slow.
    #expect(table.enter(peers[2].connection, .bytes(0)))
    table.answer(peers[2].connection, bytes: 80, at: .now + .seconds(20))
    #expect(evicted(table, of: peers) == [0])
  }

  @Test("answers over twice the body limit close the largest connection")
  func answersHaveTwiceTheRoom() throws {
    let table = table { $0.slowestRate = 1 }
    let peers = try peers(3, in: table)
    for (peer, bytes) in zip(peers, [90, 100, 30]) {
      peer.fill()
      #expect(table.enter(peer.connection, .bytes(0)))
      table.answer(peer.connection, bytes: bytes, at: .now + .seconds(bytes == 30 ? 2 : 0))
    }
    #expect(evicted(table, of: peers) == [1])
  }
}

@Suite struct RecentBytesTests {
  @Test("recent bytes are the bytes of the last ten seconds") func theLastTenSecondsCount() {
    let start = ContinuousClock.now
    var recent = RecentBytes(at: start)
    for second in 0..<30 { recent.add(1 << (second % 10), at: start + .seconds(second)) }
    func total(_ time: Duration) -> Int {
      var copy = recent
      return copy.total(at: start + time)
    }
    #expect(total(.seconds(29)) == 1023)
    #expect(total(.milliseconds(29_999)) == 1023)
    // Seconds 20 to 22 have passed out of the window.
    #expect(total(.seconds(32)) == 1023 - 7)
    recent.add(5, at: start + .seconds(32))
    #expect(total(.seconds(38)) == 512 + 5)
    #expect(total(.seconds(1000)) == 0)
  }
}
