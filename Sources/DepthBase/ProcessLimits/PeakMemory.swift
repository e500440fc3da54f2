import SystemEssentials

/// The peak memory of this program.
///
/// Linux reports it in `/proc/self/status`. On Linux, the maximum of `getrusage` survives `exec`, so a small program
/// would report its parent's memory.
package struct PeakMemory: Sendable, Equatable {
  package let bytes: Int

  /// The peak so far.
  package static var current: PeakMemory { PeakMemory(root: "") }

  /// - Parameter root: Prefix of all paths; empty except in tests.
  init(root: String) {
    if let kilobytes = keyedNumbers(textFile(root + "/proc/self/status"))["VmHWM"] {
      bytes = kilobytes * 1024
      return
    }
    var usage = rusage()
    #if canImport(Darwin)
      unsafe getrusage(RUSAGE_SELF, &usage)
      bytes = usage.ru_maxrss
    #else
      unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
      bytes = usage.ru_maxrss * 1024
    #endif
  }
}
