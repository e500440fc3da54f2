import Synchronization

/// How many bodies are being received and how many requests are in progress, and with how many bytes.
final class Admission: Sendable {
  private struct State {
    var (received, requests) = (0, 0)
    /// Bytes of the bodies that are being received, and of all bodies and answers.
    var (receivedBytes, bytes) = (0, 0)
  }

  private let limits: HTTPLimits
  private let state = Mutex(State())

  init(_ limits: HTTPLimits) { self.limits = limits }

  /// Lets a request in, before any byte of its body is read.
  ///
  /// - Parameter body: Its body. One that does not say its length counts by ``Place/grow(by:)``.
  /// - Returns: `nil` where there are too many already.
  func enter(_ body: HTTPRequestHead.Body) -> Place? {
    let bytes = if case .bytes(let count) = body { count } else { 0 }
    return state.withLock { state in
      guard state.requests < limits.requests else { return nil }
      if body == .bytes(0) {
        state.requests += 1
        return Place(self, .working, bytes: 0)
      }
      guard state.received < limits.bodies, hasRoom(for: bytes, state) else { return nil }
      state.received += 1
      state.receivedBytes += bytes
      state.bytes += bytes
      return Place(self, .receiving, bytes: bytes)
    }
  }

  private func hasRoom(for bytes: Int, _ state: State) -> Bool {
    bytes <= limits.bodyBytesTogether - state.bytes
      && bytes <= limits.receivedBytesTogether - state.receivedBytes
  }

  /// The place of a request that needs none.
  func pass() -> Place { Place(self, .answered, bytes: 0) }

  /// A request's reservation.
  struct Place {
    fileprivate enum Stage { case receiving, working, answered }

    private let admission: Admission
    private var (stage, bytes): (Stage, Int)

    fileprivate init(_ admission: Admission, _ stage: Stage, bytes: Int) {
      (self.admission, self.stage, self.bytes) = (admission, stage, bytes)
    }

    /// The body, which did not say its length, has so many bytes more than was known.
    ///
    /// - Returns: `false` where all bodies together have too many.
    mutating func grow(by count: Int) -> Bool {
      let hasRoom = admission.state.withLock { state in
        guard admission.hasRoom(for: count, state) else { return false }
        state.receivedBytes += count
        state.bytes += count
        return true
      }
      if hasRoom { bytes += count }
      return hasRoom
    }

    /// The body is there, and the request is to be worked on.
    ///
    /// - Returns: `false` where there are too many requests already.
    mutating func beginWork() -> Bool {
      guard stage == .receiving else { return true }
      let begins = admission.state.withLock { state in
        guard state.requests < admission.limits.requests else { return false }
        state.received -= 1
        state.receivedBytes -= bytes
        state.requests += 1
        return true
      }
      if begins { stage = .working }
      return begins
    }

    /// The work is done, so that another request may be worked on; the answer's bytes count until it is sent.
    mutating func answered(_ count: Int) {
      guard stage != .answered else { return }
      admission.state.withLock { state in
        if stage == .working {
          state.requests -= 1
        } else {
          state.received -= 1
          state.receivedBytes -= bytes
        }
        state.bytes += count - bytes
      }
      (stage, bytes) = (.answered, count)
    }

    /// The answer is sent, or its client is gone.
    mutating func leave() {
      answered(0)
      admission.state.withLock { $0.bytes -= bytes }
      bytes = 0
    }
  }
}
