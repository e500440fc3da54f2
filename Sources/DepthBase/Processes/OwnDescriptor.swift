import CDepthBase

/// Descriptors that are created with close-on-exec, so that concurrently started programs do not inherit
/// them.
package enum OwnDescriptor {
  /// Both ends of a new pipe; `nil` with the reason in `errno`.
  package static func pipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard unsafe ck_pipe(&ends) == 0 else { return nil }
    return (ends[0], ends[1])
  }

  /// The next client of a listening socket; -1 with the reason in `errno`.
  package static func accept(from listener: Int32) -> Int32 { ck_accept(listener) }
}
