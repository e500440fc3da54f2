import Synchronization

/// How many requests are under way, and with how many bytes.
final class Admission: Sendable {
  private struct State {
    var (works, bytes) = (0, 0)
  }

  private let limits: HTTPLimits
  private let state = Mutex(State())

  init(_ limits: HTTPLimits) { self.limits = limits }

  /// Lets a request with a body in, before any byte of it is read.
  ///
  /// - Parameter bytes: Length of its body.
  /// - Returns: `false` where there are too many already.
  func enter(bytes: Int) -> Bool {
    state.withLock { state in
      guard state.works < limits.works, bytes <= limits.bodyBytesTogether - state.bytes else {
        return false
      }
      state.works += 1
      state.bytes += bytes
      return true
    }
  }

  func leave(bytes: Int) {
    state.withLock { state in
      state.works -= 1
      state.bytes -= bytes
    }
  }
}
