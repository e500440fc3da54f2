import DepthBase

/// A task executor whose jobs run on threads of this package, one after the other on each of them.
///
/// Swift's cooperative pool has as many threads as there are processors. Where an application computes or
/// waits on all of them, every other task of the process waits too; a task on a queue of its own does not, and
/// blocks nobody else when it waits itself.
final class JobQueue: TaskExecutor {
  private let jobs = Channel<UnownedJob>(capacity: .max)

  /// Runs a task on `threads` threads of its own.
  ///
  /// If the system gives no thread, the task runs on Swift's pool.
  ///
  /// - Parameters:
  ///   - threads: At least 1; more where one job may wait while others go on.
  ///   - operation: What it calls, and its child tasks, run on the same threads. It gets the queue for the
  ///     unstructured tasks that it starts and waits for.
  static func task<Value: Sendable>(
    threads: Int, _ operation: @escaping @Sendable (JobQueue?) async -> Value
  ) -> Task<Value, Never> {
    let queue = JobQueue()
    let started = (0..<threads).count { _ in OwnThread.start { queue.serve() } }
    guard started > 0 else { return Task { await operation(nil) } }
    return Task(executorPreference: queue) {
      defer { queue.close() }
      return await operation(queue)
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard !jobs.send(job) else { return }
    // A task that outlives its queue's threads.
    if !OwnThread.start({ [self] in run(job) }) { run(job) }
  }

  /// Runs jobs on the calling thread until the queue is closed and empty.
  func serve() {
    while let job = try? jobs.receive() { run(job) }
  }

  private func run(_ job: UnownedJob) {
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }

  /// Lets the threads end after the jobs that are there.
  func close() { jobs.close() }
}
