import ThreadTeams

/// The comparison of a file with the checksum that it carries, on a thread of its own.
package final class HDF5Comparison: Sendable {
  private let result = Monitor(Result<Void, any Error>?.none)

  /// Begins to compare; where the system gives no further thread, it has ended when this returns.
  init(of file: HDF5File) {
    let compare: @Sendable () -> Void = { [result] in
      let found = Result {
        try file.verification?.verify()
        try file.requireUnchanged()
      }
      result.update { $0 = found }
    }
    if !OwnThread.start(compare) { compare() }
  }

  /// Waits for its end.
  ///
  /// - Throws: What the comparison throws.
  package func wait() throws { try result.wait { $0 }.get() }
}
