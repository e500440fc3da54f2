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
  /// - Returns: `false` where there are too many already.
  func enter(bytes: Int) -> Bool {
    state.withLock { state in
      guard state.requests < limits.requests, bytes <= limits.bodyBytesTogether - state.bytes else {
        return false
      }
      state.requests += 1
      state.bytes += bytes
      return true
    }
  }

  /// Further bytes of a body that did not say its length.
  ///
  /// - Returns: `false` where there are too many already.
  private func grow(by count: Int) -> Bool {
    state.withLock { state in
      guard count <= limits.bodyBytesTogether - state.bytes else { return false }
      state.bytes += count
      return true
    }
  }

  /// A request is answered, so that another one may be worked on; the answer's bytes count until it is sent.
  ///
  /// - Parameters:
  ///   - bytes: Length of the request's body.
  ///   - answer: Length of the answer's body.
  func answered(bytes: Int, answer: Int) {
    state.withLock { state in
      state.requests -= 1
      state.bytes += answer - bytes
    }
  }

  /// An answer is sent, or its client is gone.
  func leave(answer: Int) { state.withLock { $0.bytes -= answer } }

  /// What one request takes.
  struct Place {
    private let admission: Admission
    private var (isWork, bytes): (Bool, Int)

    /// The place of a request that was let in; without a body's length, of one that needs none.
    init(_ admission: Admission, body: Int? = nil) {
      self.admission = admission
      (isWork, bytes) = (body != nil, body ?? 0)
    }

    /// The body has so many bytes more than was known.
    ///
    /// - Returns: `false` where all bodies together have too many.
    mutating func grow(by count: Int) -> Bool {
      guard admission.grow(by: count) else { return false }
      bytes += count
      return true
    }

    /// The work is done; the answer has so many bytes.
    mutating func answered(_ count: Int) {
      guard isWork else { return }
      admission.answered(bytes: bytes, answer: count)
      (isWork, bytes) = (false, count)
    }

    mutating func leave() {
      answered(0)
      admission.leave(answer: bytes)
      bytes = 0
    }
  }
}
