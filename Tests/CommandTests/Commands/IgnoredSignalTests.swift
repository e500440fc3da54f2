import Foundation
import SystemEssentials
import Testing
import _TestSupport

/// `nohup depth … &`, and jobs of a shell that is not interactive: what is ignored at the start stays ignored.
@Suite struct IgnoredSignalTests {
  /// Returns when it says where it serves.
  private func started(_ run: CommandLineTool.Run) {
    waitUntil { !run.isRunning || !run.text.isEmpty }
    #expect(run.text.hasPrefix("http"), "\(run.errors)")
  }

  @Test(
    "a server goes on after a signal that was ignored at its start",
    arguments: [("HUP", SIGHUP), ("INT", SIGINT), ("TERM", SIGTERM)])
  func aServerGoesOn(name: String, number: Int32) throws {
    let run = try depthTool.start(
      ["serve", "--port", "0", "--quiet"],
      wrapper: CommandLineTool.endedBySignals + CommandLineTool.ignoring(name))
    defer { run.signal(SIGKILL) }
    started(run)
    run.signal(number)
    usleep(500_000)
    #expect(run.isRunning)
    // The others end it as before.
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
