import CDepthBase

/// The heap that the threads of this process allocate from.
package enum SharedHeap {
  /// Leaves one heap to all threads if the process's address space is limited (`ulimit -v`).
  ///
  /// A program calls this before it starts threads. The library does not: how a process allocates is
  /// the program's decision.
  package static func useUnderLimit() { ck_share_heap_under_limit() }
}
