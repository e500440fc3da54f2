import Synchronization

/// The frames of a stream for the threads that process them.
package final class FrameFeed: Sendable {
  private let source: Mutex<FrameReader>
  private let slot: FrameSlot?

  /// Frames that were replaced by newer ones.
  package var dropped: Int { slot?.dropped ?? 0 }

  /// - Parameter keepsNewest: Whether only the newest of the frames that wait is kept; otherwise the source waits.
  /// - Throws: `DepthError` where the newest frame is wanted and there is no second thread.
  package init(_ reader: FrameReader, keepsNewest: Bool) throws {
    source = Mutex(reader)
    slot = keepsNewest ? FrameSlot(keepsNewest: true) : nil
    try slot?.startFilling { [self] in try read() }
  }

  private func read() throws -> EncodedFrame? { try source.withLock { try $0.next() } }

  /// The next frame, or the newest one; `nil` at the end.
  package func next() throws -> EncodedFrame? {
    guard let slot else { return try read() }
    return if case .frame(let frame) = try slot.take() { frame } else { nil }
  }
}
