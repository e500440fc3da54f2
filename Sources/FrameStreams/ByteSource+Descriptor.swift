import DepthErrors
import Synchronization
import SystemEssentials

/// The signal to the threads of a stream that they should end.
package final class StopFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  package init() {}

  package func stop() { flag.store(true, ordering: .releasing) }

  package var isStopped: Bool { flag.load(ordering: .acquiring) }
}

extension ByteSource {
  /// Milliseconds between two looks at whether the reading should end.
  private static let patience: Int32 = 100

  /// The bytes of an open descriptor, such as standard input.
  ///
  /// - Parameter isStopped: Asked while nothing comes; `true` ends the stream.
  package init(
    descriptor: Int32, name: String, isStopped: @escaping @Sendable () -> Bool
  ) {
    unsafe self.init(name: name) { buffer in
      while true {
        guard !isStopped() else { return 0 }
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wanted, 1, Self.patience) > 0 else { continue }
        let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        guard errno == EINTR || errno == EAGAIN else {
          throw DepthError.unreadable(file: name, reason: systemReason())
        }
      }
    }
  }
}
