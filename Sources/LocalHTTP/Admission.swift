import Synchronization

/// How many requests are in progress, and with how many bytes.
final class Admission: Sendable {
  private struct State {
    var (requests, bytes) = (0, 0)
  }

  private let limits: HTTPLimits
  private let state = Mutex(State())

  init(_ limits: HTTPLimits) { self.limits = limits }

  /// Lets a request with a body in, before any byte of it is read.
  ///
  /// - Parameter bytes: Length of its body; 0 for one that does not say it, see ``Place/grow(by:)``.
  /// - Returns: `nil` where there are too many already.
  func enter(bytes: Int) -> Place? {
    state.withLock { state in
      guard state.requests < limits.requests, bytes <= limits.bodyBytesTogether - state.bytes else {
        return nil
      }
      state.requests += 1
      state.bytes += bytes
      return Place(self, isWork: true, bytes: bytes)
    }
  }

  /// The place of a request that needs none.
  func pass() -> Place { Place(self, isWork: false, bytes: 0) }

  /// What one request takes.
  struct Place {
    private let admission: Admission
    private var (isWork, bytes): (Bool, Int)

    fileprivate init(_ admission: Admission, isWork: Bool, bytes: Int) {
      (self.admission, self.isWork, self.bytes) = (admission, isWork, bytes)
    }

    /// The body, which did not say its length, has so many bytes more than was known.
    ///
    /// - Returns: `false` where all bodies together have too many.
    mutating func grow(by count: Int) -> Bool {
      let hasRoom = admission.state.withLock { state in
        guard count <= admission.limits.bodyBytesTogether - state.bytes else { return false }
        state.bytes += count
        return true
      }
      if hasRoom { bytes += count }
      return hasRoom
    }

    /// The work is done, so that another request may be worked on; the answer's bytes count until it is sent.
    mutating func answered(_ count: Int) {
      guard isWork else { return }
      admission.state.withLock { state in
        state.requests -= 1
        state.bytes += count - bytes
      }
      (isWork, bytes) = (false, count)
    }

    /// The answer is sent, or its client is gone.
    mutating func leave() {
      answered(0)
      admission.state.withLock { $0.bytes -= bytes }
      bytes = 0
    }
  }
}
