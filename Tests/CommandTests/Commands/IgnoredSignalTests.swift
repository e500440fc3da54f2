import Foundation
import SystemEssentials
import Testing
import _TestSupport

/// Signals that are ignored at the start, as under `nohup`, stay ignored.
@Suite struct IgnoredSignalTests {
  /// Returns when the server has printed its address.
  private func started(_ run: CommandLineTool.Run) {
    waitUntil { !run.isRunning || !run.text.isEmpty }
    #expect(run.text.hasPrefix("http"), "\(run.errors)")
  }

  @Test(
    "a server continues after a signal that was ignored at its start",
    arguments: [("HUP", SIGHUP), ("INT", SIGINT), ("TERM", SIGTERM)])
  func aServerContinues(name: String, number: Int32) throws {
    let run = try depthTool.start(
      ["serve", "--port", "0", "--quiet"],
      wrapper: CommandLineTool.endedBySignals + CommandLineTool.ignoring(name))
    defer { run.signal(SIGKILL) }
    started(run)
    run.signal(number)
    usleep(500_000)
    #expect(run.isRunning)
    // Other signals end the server as usual.
    run.signal(number == SIGTERM ? SIGINT : SIGTERM)
    let outcome = try run.finish()
    #expect(outcome.status == 0 && !outcome.wasKilled)
  }

  @Test("a server ends after a signal that was not ignored", arguments: [SIGHUP, SIGINT, SIGTERM])
  func aServerEndsOtherwise(number: Int32) throws {
    let run = try depthTool.start(
      ["serve", "--port", "0", "--quiet"],
      wrapper: CommandLineTool.endedBySignals)
    defer { run.signal(SIGKILL) }
    started(run)
    run.signal(number)
    let outcome = try run.finish()
    #expect(outcome.status == 0 && !outcome.wasKilled)
  }
}
