import ThreadTeams

/// Runs every frame of a stream through four stages on several threads, in order where order matters.
///
/// A lane takes a frame, works on it to the end and takes the next one. At most as many frames are under way
/// as there are lanes, so that a slow consumer holds up the source. Each frame's own stages run beside those
/// of other frames; `join` and `deliver` see the frames in their order, one at a time, so that results do
/// not depend on the number of lanes.
package struct FrameLanes<Input: Sendable, Prepared: Sendable, Joined: Sendable, Output: Sendable>:
  Sendable
{
  /// Takes the next frame; `nil` at the end. Never called by two lanes at once.
  package var next: @Sendable () throws -> Input?
  package var prepare: @Sendable (Input) throws -> Prepared
  /// In order.
  package var join: @Sendable (Prepared) throws -> Joined
  package var finish: @Sendable (Joined) throws -> Output
  /// In order.
  package var deliver: @Sendable (Output) throws -> Void

  package init(
    next: @escaping @Sendable () throws -> Input?,
    prepare: @escaping @Sendable (Input) throws -> Prepared,
    join: @escaping @Sendable (Prepared) throws -> Joined,
    finish: @escaping @Sendable (Joined) throws -> Output,
    deliver: @escaping @Sendable (Output) throws -> Void
  ) {
    (self.next, self.prepare, self.join) = (next, prepare, join)
    (self.finish, self.deliver) = (finish, deliver)
  }

  private struct State: Sendable {
    var isReading = false
    var (taken, joined, delivered) = (0, 0, 0)
    var hasEnded = false
    var failure: (any Error)?
  }

  /// Works until the stream ends.
  ///
  /// - Throws: The error of the first frame that failed, after all frames before it have been delivered.
  package func run(lanes: Int) throws {
    let state = Monitor(State())
    parallelFor(lanes, threads: lanes) { lanes in
      for _ in lanes { while lane(state) {} }
    }
    if let failure = state.update({ $0.failure }) { throw failure }
  }

  /// Takes one frame to its end; `false` where no more follows.
  private func lane(_ state: Monitor<State>) -> Bool {
    let index = state.wait { state -> Int?? in
      if state.hasEnded || state.failure != nil { return .some(nil) }
      guard !state.isReading else { return nil }
      state.isReading = true
      return state.taken
    }
    guard let index else { return false }
    let input = Result { try next() }
    let isEnd = if case .success(nil) = input { true } else { false }
    state.update { state in
      state.isReading = false
      if isEnd { state.hasEnded = true } else { state.taken += 1 }
      // Nothing sensible follows what could not be read.
      if case .failure = input { state.hasEnded = true }
    }
    guard !isEnd else { return false }
    let prepared = input.flatMap { input in Result { try prepare(input!) } }
    guard waitForTurn(index, { $0.joined }, state) else { return false }
    let joined = prepared.flatMap { prepared in Result { try join(prepared) } }
    state.update { $0.joined += 1 }
    let output = joined.flatMap { joined in Result { try finish(joined) } }
    guard waitForTurn(index, { $0.delivered }, state) else { return false }
    do { try deliver(output.get()) } catch {
      state.update { $0.failure = error }
      return false
    }
    state.update { $0.delivered += 1 }
    return true
  }

  /// Returns `false` where a frame before this one has failed.
  private func waitForTurn(
    _ index: Int, _ turn: (State) -> Int, _ state: Monitor<State>
  ) -> Bool {
    state.wait { state in
      if state.failure != nil { return false }
      return turn(state) == index ? true : nil
    }
  }
}
