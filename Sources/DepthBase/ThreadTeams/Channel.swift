import DepthErrors

/// A bounded queue from one thread to another, which ends once: as its source does, or with its failure.
package final class Channel<Element: Sendable>: Sendable {
  /// What happens to an element for which there is no room.
  package enum Policy: Sendable {
    /// The sender waits.
    case block
    /// It takes the place of the oldest one, which is dropped and counted.
    case keepNewest
  }

  /// What a receiver gets.
  package enum Delivery: Sendable {
    case element(Element)
    /// Nothing came in the time that the receiver wanted to wait.
    case timeout
    case end
  }

  private struct State: Sendable {
    var elements: ArraySlice<Element> = []
    var dropped = 0
    var end: Result<Void, any Error>?
  }

  private let capacity: Int
  private let policy: Policy
  private let state = Monitor(State())

  /// - Parameter capacity: At least 1.
  package init(capacity: Int = 1, policy: Policy = .block) {
    precondition(capacity > 0, "a channel for \(capacity) elements, expected at least 1")
    (self.capacity, self.policy) = (capacity, policy)
  }

  /// Elements that newer ones have replaced.
  package var dropped: Int { state.read { $0.dropped } }

  /// Puts an element in.
  ///
  /// - Returns: `false` for a channel that is closed.
  @discardableResult
  package func send(_ element: Element) -> Bool {
    state.wait { [capacity, policy] state -> Bool? in
      guard state.end == nil else { return false }
      if state.elements.count == capacity {
        guard policy == .keepNewest else { return nil }
        state.elements.removeFirst()
        state.dropped += 1
      }
      state.elements.append(element)
      return true
    }
  }

  /// Ends the channel behind the elements that are in it.
  package func close(throwing failure: (any Error)? = nil) {
    state.update { $0.end = failure.map { .failure($0) } ?? .success(()) }
  }

  /// Sends all elements of a source, and ends as it does.
  package func fill(from next: () throws -> Element?) {
    do {
      while let element = try next() { send(element) }
      close()
    } catch { close(throwing: error) }
  }

  /// ``fill(from:)`` on a thread of its own.
  ///
  /// - Throws: `DepthError` where the system has no second thread.
  package func startFilling(
    _ content: String, from next: @escaping @Sendable () throws -> Element?
  ) throws {
    guard OwnThread.start({ self.fill(from: next) }) else {
      throw DepthError(
        .insufficientMemory, "the system cannot start a second thread, which reads \(content)")
    }
  }

  /// Takes the oldest element, waiting for one; `nil` at the end.
  ///
  /// - Throws: What the source threw, after its last element.
  package func receive() throws -> Element? {
    let delivery = try state.wait { Self.delivery(&$0) }.get()
    return if case .element(let element) = delivery { element } else { nil }
  }

  /// Takes the oldest element, waiting for one no longer than a time of the monotonic clock.
  ///
  /// - Throws: What the source threw, after its last element.
  package func receive(upTo time: Duration) throws -> Delivery {
    try state.wait(upTo: time) { Self.delivery(&$0) }?.get() ?? .timeout
  }

  private static func delivery(_ state: inout State) -> Result<Delivery, any Error>? {
    if let element = state.elements.popFirst() { return .success(.element(element)) }
    return state.end?.map { .end }
  }
}
