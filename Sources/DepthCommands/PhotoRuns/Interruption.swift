import ArgumentParser
import DepthBase

/// Ctrl-C in the middle of several files: the one in progress is finished, the rest is left.
///
/// A second Ctrl-C ends the program at once, and so does the first one outside of
/// ``finishingCurrent(_:)``.
enum Interruption {
  /// Conventional exit status of what ended by SIGINT.
  static let exitCode = ExitCode(130)

  /// Runs `work`, which looks at ``hasCome`` before each file.
  static func finishingCurrent(_ work: () throws -> Void) rethrows {
    PartFile.finishOnInterrupt(true)
    defer { PartFile.finishOnInterrupt(false) }
    try work()
  }

  /// Ctrl-C ends a stream: from now on the first one is only counted.
  static func finishesOnFirst() { PartFile.finishOnInterrupt(true) }

  static var hasCome: Bool { PartFile.isInterrupted }

  /// If Ctrl-C has come, prints how many photos are done and throws ``exitCode``.
  static func endIfCome(done: Int, of total: Int) throws {
    guard hasCome else { return }
    Console.note("depth: interrupted, \(done) of \(total) photos are done\n")
    throw exitCode
  }
}
