import Synchronization

/// Runs `body` over `0 ..< count` in chunks of `grain` indices, on at most `threads` threads.
///
/// The chunks do not depend on the number of threads. A body that computes each index independently therefore gives the
/// same bits with any number of threads. With one thread or one chunk, the caller does all work.
///
/// - Parameters:
///   - count: Number of indices.
///   - grain: Indices per chunk, at least 1.
///   - threads: Maximum number of threads, at least 1.
///   - cancellation: If cancelled, remaining chunks are skipped; the caller must check `isCancelled` and discard the result.
///   - body: Called once per chunk with the chunk's indices; must write only data of these indices.
package func parallelFor(
  _ count: Int, grain: Int = 1, threads: Int, cancellation: Cancellation? = nil,
  _ body: @Sendable (Range<Int>) -> Void
) {
  precondition(grain > 0 && threads > 0, "grain \(grain) and threads \(threads), expected positive")
  let chunks = (max(count, 0) + grain - 1) / grain
  ThreadTeam.run(threads: max(min(threads, chunks), 1)) { team in
    team.forEach(chunks) { _, chunk in
      if let cancellation, cancellation.isCancelled { return }
      body(chunk * grain..<min(count, (chunk + 1) * grain))
    }
  }
}

/// Like ``parallelFor(_:grain:threads:cancellation:_:)``, but each thread works on a separate part of the range.
///
/// Threads that wrote to adjacent chunks of fresh memory would fault on the same huge page, and each thread would clear
/// the page.
package func parallelForStrided(
  _ count: Int, grain: Int, threads: Int, cancellation: Cancellation? = nil,
  _ body: @Sendable (Range<Int>) -> Void
) {
  let chunks = (max(count, 0) + grain - 1) / grain
  parallelFor(chunks, threads: threads, cancellation: cancellation) { indices in
    for index in indices {
      // One part per thread; the first `chunks % threads` parts have one more chunk.
      let (place, part) = index.quotientAndRemainder(dividingBy: threads)
      let chunk = part * (chunks / threads) + min(part, chunks % threads) + place
      body(chunk * grain..<min(count, (chunk + 1) * grain))
    }
  }
}

extension ThreadTeam {
  /// ``forEach(_:_:)`` for a body that can throw.
  ///
  /// - Throws: The error of the lowest index whose body throws.
  package func forEachThrowing(
    _ count: Int, _ body: @Sendable (_ index: Int) throws -> Void
  ) throws {
    let first = Monitor<(index: Int, error: any Error)?>(nil)
    forEach(count) { _, index in
      do { try body(index) } catch {
        first.update { if index < $0?.index ?? .max { $0 = (index, error) } }
      }
    }
    if let error = first.read({ $0?.error }) { throw error }
  }
}

/// The context of a call: its number of threads, its cancellation and its progress handler.
package struct CallContext: Sendable {
  /// Threads to use.
  package private(set) var threads: Int
  /// The caller's cancellation; `nil` for calls that cannot be cancelled.
  package let cancellation: Cancellation?
  private var progress: (@Sendable (Double) -> Void)?
  /// The part of the whole call that this context's progress refers to.
  private var part: ClosedRange<Double> = 0...1

  package init(
    threads: Int, cancellation: Cancellation? = nil,
    progress: (@Sendable (Double) -> Void)? = nil
  ) {
    (self.threads, self.cancellation, self.progress) = (threads, cancellation, progress)
  }

  /// Throws if the call is cancelled, and reports the completed share, 0…1.
  ///
  /// - Throws: `CancellationError`.
  package func checkpoint(_ share: Double) throws {
    try cancellation?.check()
    report(share)
  }

  /// Reports the completed share, 0…1.
  package func report(_ share: Double) {
    progress?(part.lowerBound + share * (part.upperBound - part.lowerBound))
  }

  /// The context with a progress handler.
  ///
  /// - Parameter progress: Called with 0…1, from any thread.
  package func reporting(to progress: @escaping @Sendable (Double) -> Void) -> CallContext {
    var context = self
    context.progress = progress
    return context
  }

  /// The context without progress reports, for a repeated step.
  package var silent: CallContext { CallContext(threads: threads, cancellation: cancellation) }

  /// The context with another number of threads.
  func using(threads: Int) -> CallContext {
    var context = self
    context.threads = threads
    return context
  }

  /// The context for the step `index` of `count` equal steps.
  package func step(_ index: Int, of count: Int) -> CallContext {
    let size = (part.upperBound - part.lowerBound) / Double(count)
    let start = part.lowerBound + size * Double(index)
    var context = self
    context.part = start...max(start, start + size)
    return context
  }
}

/// The cancellation of a call in progress.
package final class Cancellation: Sendable {
  /// The cancellation of the current task, for code that has no context and waits for a child process.
  @TaskLocal package static var current: Cancellation?

  private let flag = Atomic<Bool>(false)
  private let isOver: @Sendable () -> Bool

  /// - Parameter isOver: Polled on any thread until it returns `true`.
  package init(_ isOver: @escaping @Sendable () -> Bool = { false }) { self.isOver = isOver }

  package var isCancelled: Bool {
    if flag.load(ordering: .sequentiallyConsistent) { return true }
    guard isOver() else { return false }
    cancel()
    return true
  }

  package func cancel() { flag.store(true, ordering: .sequentiallyConsistent) }

  /// - Throws: `CancellationError` if cancelled.
  package func check() throws {
    if isCancelled { throw CancellationError() }
  }
}
