import Foundation
package import Testing

/// Tests that take minutes on a slow machine: `Scripts/checks/test-slow.sh` asks for them, the test command does not.
package enum SlowTests {
  package static let areWanted =
    ProcessInfo.processInfo.environment["DEPTH_SLOW_TESTS"] != nil
  package static let absence: Comment = "Scripts/checks/test-slow.sh runs it"

  /// Arguments that are slow.
  package static func only<Argument>(_ slow: [Argument]) -> [Argument] { areWanted ? slow : [] }
}
