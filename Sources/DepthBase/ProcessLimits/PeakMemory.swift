import SystemEssentials

/// The most memory that this program has held at once.
///
/// Linux counts it in `/proc/self/status`. The maximum that `getrusage` reports survives `exec`
/// there: a small program would report the memory of the one that started it.
package struct PeakMemory: Sendable, Equatable {
  package let bytes: Int

  /// The peak until this moment.
  package static var current: PeakMemory { PeakMemory(root: "") }

  /// - Parameter root: Prefix of all paths; empty on a real system.
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
