import Foundation
import Testing

@testable import DepthCommands

/// The program of `--exec`.
@Suite struct CommandRunnerTests {
  /// The interval is in real time, not in times of events.
  @Test("programs restart only after an interval") func programsStartAfterTheirInterval() throws {
    var now = ContinuousClock.now
    var runner = CommandRunner(["true"], interval: 1, now: { now })
    runner.run([])
    try awaitEnd(of: #require(runner.child))
    now += .milliseconds(999)
    runner.run([])
    #expect(runner.child == nil)
    now += .milliseconds(1)
    runner.run([])
    try awaitEnd(of: #require(runner.child))
    runner.run([])
    #expect(runner.child == nil)
  }

  @Test("an ended program leaves no process") func programsThatHaveEndedAreForgotten() throws {
    var runner = CommandRunner(["true"], interval: 1)
    runner.run([])
    let child = try #require(runner.child)
    awaitEnd(of: child)
    runner.reap()
    #expect(runner.child == nil)
    #expect(waitpid(child, nil, WNOHANG) == -1 && errno == ECHILD)
  }

  /// Returns when the program has ended, without taking its status from the runner.
  private func awaitEnd(of child: pid_t) {
    var info = siginfo_t()
    let result = waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT)
    #expect(result == 0)
  }
}
