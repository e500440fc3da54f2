import Foundation
package import Testing

/// Tests that take minutes on a slow machine. Only `Scripts/checks/test-slow.sh` runs these tests.
package enum SlowTests {
  package static let areWanted =
    ProcessInfo.processInfo.environment["DEPTH_SLOW_TESTS"] != nil
  package static let absence: Comment = "Scripts/checks/test-slow.sh runs it"

  /// The arguments of a slow test, or none in a fast run.
  package static func only<Argument>(_ slow: [Argument]) -> [Argument] { areWanted ? slow : [] }
}
