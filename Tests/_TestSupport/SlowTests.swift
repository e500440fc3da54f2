import Foundation
package import Testing

/// Tests that take minutes on a slow machine, run only by `Scripts/checks/test-slow.sh`.
package enum SlowTests {
  package static let areWanted =
    ProcessInfo.processInfo.environment["DEPTH_SLOW_TESTS"] != nil
  package static let absence: Comment = "Scripts/checks/test-slow.sh runs it"

  /// Arguments of slow tests.
  package static func only<Argument>(_ slow: [Argument]) -> [Argument] { areWanted ? slow : [] }
}
