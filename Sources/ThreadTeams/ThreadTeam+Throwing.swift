import Synchronization

/// Kernels of some output channels, in OIHW order and with batch norm folded in.
///
/// Preparing a convolution asks for a few output channels at a time, from several threads, so that
/// reading, folding and transforming a kernel happen while it is in the cache.
package typealias KernelRows = @Sendable (_ outputChannels: Range<Int>) throws -> [Float]

extension ThreadTeam {
  /// ``forEach(_:_:)`` for a body that can fail; throws the error of the lowest failing index.
  package func forEachThrowing(
    _ count: Int, _ body: @Sendable (_ index: Int) throws -> Void
  ) throws {
    let failure = FirstFailure()
    forEach(count) { _, index in
      do { try body(index) } catch { failure.note(error, at: index) }
    }
    if let error = failure.error { throw error }
  }
}

/// The error of the lowest index, whichever thread meets it first.
private final class FirstFailure: Sendable {
  private let state = Mutex<(index: Int, error: any Error)?>(nil)

  func note(_ error: any Error, at index: Int) {
    state.withLock { state in
      if index < state?.index ?? .max { state = (index, error) }
    }
  }

  var error: (any Error)? { state.withLock { $0?.error } }
}
