import DepthBase
import DepthErrors

/// One place for a frame between the thread that reads and the thread that works.
package final class FrameSlot: Sendable {
  /// What the worker gets.
  package enum Delivery: Sendable {
    case frame(EncodedFrame)
    /// Nothing came for the time that the worker wanted to wait.
    case timeout
    case end
  }

  private struct State: Sendable {
    var frame: EncodedFrame?
    var dropped = 0
    var hasEnded = false
    var failure: (any Error)?
  }

  private let keepsNewest: Bool
  private let state = Monitor(State())

  /// - Parameter keepsNewest: Whether a new frame takes the place of one that nobody has taken; otherwise the
  ///   reader waits.
  package init(keepsNewest: Bool) { self.keepsNewest = keepsNewest }

  /// Frames that were replaced by newer ones.
  package var dropped: Int { state.read { $0.dropped } }

  /// Starts a thread that fills the slot until the source ends.
  ///
  /// - Throws: `DepthError` where the system has no second thread.
  package func startFilling(from next: @escaping @Sendable () throws -> EncodedFrame?) throws {
    guard OwnThread.start({ self.fill(next) }) else {
      throw DepthError(
        .insufficientMemory, "the system cannot start a second thread, which reads frames")
    }
  }

  /// Fills the slot until the source ends.
  package func fill(_ next: () throws -> EncodedFrame?) {
    do {
      while let frame = try next() {
        state.wait { [keepsNewest] state -> Void? in
          if state.frame != nil {
            guard keepsNewest else { return nil }
            state.dropped += 1
          }
          state.frame = frame
          return ()
        }
      }
      state.update { $0.hasEnded = true }
    } catch {
      state.update { state in
        state.failure = error
        state.hasEnded = true
      }
    }
  }

  /// Takes the frame, waiting for one.
  ///
  /// - Parameter time: How long to wait; `nil` without limit.
  /// - Throws: What the source threw, after the last whole frame.
  package func take(upTo time: Duration? = nil) throws -> Delivery {
    let attempt: (inout State) -> Result<Delivery, any Error>? = { state in
      if let frame = state.frame {
        state.frame = nil
        return .success(.frame(frame))
      }
      guard state.hasEnded else { return nil }
      return state.failure.map { .failure($0) } ?? .success(.end)
    }
    guard let time else { return try state.wait(until: attempt).get() }
    return try state.wait(upTo: time, until: attempt)?.get() ?? .timeout
  }
}
