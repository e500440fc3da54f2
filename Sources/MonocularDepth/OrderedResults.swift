import DepthBase
import DepthErrors

/// The results of an asynchronous operation on each element of a sequence, in order, several elements at once and
/// a bounded number of them ahead of the consumer.
struct OrderedResults<Source, Element>: AsyncSequence, Sendable
where Source: AsyncSequence & Sendable, Source.Element: Sendable, Element: Sendable {
  typealias Failure = any Error
  typealias Operation = @Sendable (Source.Element) async throws -> Element
  private typealias Results = AsyncThrowingStream<Task<Element, any Error>, any Error>

  private let source: Source
  private let ahead: Int
  private let operation: Operation

  /// - Parameter ahead: 1…1024; for another number the first element is an error.
  init(of source: Source, ahead: Int, _ operation: @escaping Operation) {
    (self.source, self.ahead, self.operation) = (source, ahead, operation)
  }

  /// Takes elements from the source once the consumer asks for the first result.
  struct AsyncIterator: AsyncIteratorProtocol {
    private let sequence: OrderedResults
    private var started: Production?
    private var isOver = false

    fileprivate init(_ sequence: OrderedResults) { self.sequence = sequence }

    mutating func next() async throws -> Element? {
      try await next(isolation: #isolation)
    }

    /// Goes on where its caller runs, without a detour through Swift's pool.
    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> Element? {
      guard !isOver else { return nil }
      do {
        try Task.checkCancellation()
        try sequence.ahead.checked(in: 1...1024, "the number of frames ahead", "1 to 1024")
        if started == nil { started = sequence.start() }
        guard let result = try await started?.results.next(isolation: actor) else {
          try Task.checkCancellation()
          return finish()
        }
        let element = try await withTaskCancellationHandler {
          try await result.value
        } onCancel: {
          result.cancel()
        }
        started?.slots.yield()
        return element
      } catch {
        _ = finish()
        throw error
      }
    }

    private mutating func finish() -> Element? {
      isOver = true
      // Ends what is still under way.
      started = nil
      return nil
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Operations in progress, which end when the last copy of their iterator goes.
  private struct Production {
    var results: Results.AsyncIterator
    /// Receives a mark for each result that was taken.
    let slots: AsyncStream<Void>.Continuation
    let producer: Producer
  }

  private final class Producer: Sendable {
    private let task: Task<Void, Never>
    init(_ task: Task<Void, Never>) { self.task = task }
    deinit { task.cancel() }
  }

  private func start() -> Production {
    let (slots, freeSlots) = AsyncStream.makeStream(of: Void.self)
    for _ in 0..<ahead { freeSlots.yield() }
    let (results, output) = Results.makeStream()
    // Two threads of its own: the source may wait on one of them while results come on the other, and neither
    // needs Swift's pool, all of which the application may keep for something else.
    let task = JobQueue.task(threads: 2) { queue in
      await produce(into: output, slots: slots, on: queue)
    }
    return Production(
      results: results.makeAsyncIterator(), slots: freeSlots, producer: Producer(task))
  }

  /// Begins an operation for each element as soon as there is a slot; ends all of them when cancelled.
  ///
  /// - Parameter queue: Where operations run; `nil` for Swift's pool.
  private func produce(
    into output: Results.Continuation, slots: AsyncStream<Void>, on queue: JobQueue?
  ) async {
    await withDiscardingTaskGroup { group in
      do {
        var elements = source.makeAsyncIterator()
        // Cancellation ends the wait for a slot.
        for await _ in slots {
          guard let element = try await elements.next() else { break }
          let result = Task(executorPreference: queue) { try await operation(element) }
          output.yield(result)
          group.addTask {
            await withTaskCancellationHandler {
              _ = await result.result
            } onCancel: {
              result.cancel()
            }
          }
        }
        output.finish()
      } catch {
        output.finish(throwing: error)
      }
    }
  }
}
