import Synchronization

/// What a running call gets from its caller: how many threads it may use, whether the result is
/// still needed, and where to report its progress.
package struct CallContext: Sendable {
  /// Threads to use.
  package let threads: Int
  /// Set when the caller gives up; `nil` for calls that cannot be cancelled.
  package let cancellation: Cancellation?
  private let progress: (@Sendable (Double) -> Void)?
  /// The part of the whole call that this context's shares refer to.
  private let part: ClosedRange<Double>

  package init(
    threads: Int, cancellation: Cancellation? = nil,
    progress: (@Sendable (Double) -> Void)? = nil
  ) {
    self.init(
      threads: threads, cancellation: cancellation, progress: progress, part: 0...1)
  }

  private init(
    threads: Int, cancellation: Cancellation?, progress: (@Sendable (Double) -> Void)?,
    part: ClosedRange<Double>
  ) {
    (self.threads, self.cancellation) = (threads, cancellation)
    (self.progress, self.part) = (progress, part)
  }

  /// Ends the call if its caller has given up, and reports the share that is done, 0…1.
  ///
  /// - Throws: `CancellationError`.
  package func checkpoint(_ share: Double) throws {
    try cancellation?.check()
    report(share)
  }

  /// Reports the share that is done, 0…1.
  package func report(_ share: Double) {
    progress?(part.lowerBound + share * (part.upperBound - part.lowerBound))
  }

  /// The same call with another number of threads.
  func using(threads: Int) -> CallContext {
    CallContext(threads: threads, cancellation: cancellation, progress: progress, part: part)
  }

  /// The context for the step `index` of `count` equal steps.
  package func step(_ index: Int, of count: Int) -> CallContext {
    let size = (part.upperBound - part.lowerBound) / Double(count)
    let start = part.lowerBound + size * Double(index)
    return CallContext(
      threads: threads, cancellation: cancellation, progress: progress,
      part: start...max(start, start + size))
  }
}

/// Whether the caller of a call in progress has given up.
package final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  private let isOver: @Sendable () -> Bool

  /// - Parameter isOver: Asked on any thread, until it says `true`.
  package init(_ isOver: @escaping @Sendable () -> Bool = { false }) { self.isOver = isOver }

  package var isCancelled: Bool {
    if flag.load(ordering: .sequentiallyConsistent) { return true }
    guard isOver() else { return false }
    cancel()
    return true
  }

  package func cancel() { flag.store(true, ordering: .sequentiallyConsistent) }

  /// - Throws: `CancellationError` once ``isCancelled``.
  package func check() throws {
    if isCancelled { throw CancellationError() }
  }
}
