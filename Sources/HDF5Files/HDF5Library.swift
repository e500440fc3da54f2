package import CDepthHDF5
import Synchronization

/// The one way into the HDF5 library, which is not safe to enter from two threads at once.
package enum HDF5Library {
  private static let lock = Mutex(())

  /// Runs `body` alone in the library, with the library's own error messages switched off.
  ///
  /// Not reentrant: `body` must not enter again.
  package static func locked<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    try lock.withLock { _ in
      let printing = ch5_silence_errors()
      defer { ch5_restore_errors(printing) }
      return try body()
    }
  }

  /// What the library says about the innermost cause of its last failure.
  package static var lastMessage: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
      guard let start = text.baseAddress else { return "" }
      ch5_innermost_error(start, text.count)
      return String(cString: start)
    }
  }
}

/// An open object of the library, closed when its owner goes.
package struct HDF5Handle: ~Copyable {
  package let id: hid_t

  /// Takes over `id`; nothing when it is the negative number of a failed call.
  package init?(_ id: hid_t) {
    guard id >= 0 else { return nil }
    self.id = id
  }

  deinit { H5Idec_ref(id) }
}
