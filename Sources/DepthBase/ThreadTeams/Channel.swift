import DepthErrors

/// A bounded queue between threads that can be closed once, with or without an error.
package final class Channel<Element: Sendable>: Sendable {
  /// Behavior of `send` when the channel is full.
  package enum Policy: Sendable {
    /// The sender waits.
    case block
    /// The oldest element is dropped and counted.
    case keepNewest
  }

  /// Result of receiving with a timeout.
  package enum Delivery: Sendable {
    case element(Element)
    /// No element arrived in time.
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

  /// - Parameter capacity: Maximum number of elements, at least 1.
  package init(capacity: Int = 1, policy: Policy = .block) {
    precondition(capacity > 0, "a channel for \(capacity) elements, expected at least 1")
    (self.capacity, self.policy) = (capacity, policy)
  }

  /// Number of elements dropped in favor of newer elements.
  package var dropped: Int { state.read { $0.dropped } }

  /// Appends an element.
  ///
  /// - Returns: `false` if the channel is closed.
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

  /// Closes the channel. Its elements can still be received.
  package func close(throwing failure: (any Error)? = nil) {
    state.update { $0.end = failure.map { .failure($0) } ?? .success(()) }
  }

  /// Sends all elements of a source, then closes the channel, with any error that the source throws.
  package func fill(from next: () throws -> Element?) {
    do {
      while let element = try next() { send(element) }
      close()
    } catch { close(throwing: error) }
  }

  /// ``fill(from:)`` on a separate thread.
  ///
  /// - Throws: `DepthError` if the system cannot start a thread.
  package func startFilling(
    _ content: String, from next: @escaping @Sendable () throws -> Element?
  ) throws {
    guard OwnThread.start({ self.fill(from: next) }) else {
      throw DepthError(
        .insufficientMemory, "no thread can be started to read \(content)")
    }
  }

  /// Waits for an element and removes the oldest; `nil` if the channel is closed and empty.
  ///
  /// - Throws: The error that the channel was closed with.
  package func receive() throws -> Element? {
    let delivery = try state.wait { Self.delivery(&$0) }.get()
    return if case .element(let element) = delivery { element } else { nil }
  }

  /// Waits for an element for up to `time`, and removes the oldest.
  ///
  /// - Throws: The error that the channel was closed with.
  package func receive(upTo time: Duration) throws -> Delivery {
    try state.wait(upTo: time) { Self.delivery(&$0) }?.get() ?? .timeout
  }

  private static func delivery(_ state: inout State) -> Result<Delivery, any Error>? {
    if let element = state.elements.popFirst() { return .success(.element(element)) }
    return state.end?.map { .end }
  }
}
