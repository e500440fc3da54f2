import Foundation
import SystemEssentials
import Testing
import _TestSupport

/// `nohup depth … &`, and jobs of a shell that is not interactive: what is ignored at the start stays ignored.
@Suite struct IgnoredSignalTests {
  /// Until it says where it serves, or a minute has passed, which only a hanging program takes.
  private func started(_ run: CommandLineTool.Run) {
    for _ in 0..<60_000 where run.isRunning && run.text.isEmpty { usleep(1000) }
    #expect(run.text.hasPrefix("http"), "\(run.errors)")
  }

  @Test(arguments: [("HUP", SIGHUP), ("INT", SIGINT), ("TERM", SIGTERM)])
  func aServerGoesOn(name: String, number: Int32) throws {
    let run = try depthTool.start(
      ["serve", "--port", "0", "--quiet", "--weights", "compact"],
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

  @Test(arguments: [SIGHUP, SIGINT, SIGTERM])
  func aServerEndsOtherwise(number: Int32) throws {
    let run = try depthTool.start(
      ["serve", "--port", "0", "--quiet", "--weights", "compact"],
      wrapper: CommandLineTool.endedBySignals)
    defer { run.signal(SIGKILL) }
    started(run)
    run.signal(number)
    let outcome = try run.finish()
    #expect(outcome.status == 0 && !outcome.wasKilled)
  }
}
