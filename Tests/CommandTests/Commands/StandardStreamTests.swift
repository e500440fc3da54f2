import Foundation
import Testing
import _TestSupport

@testable import DepthCommands

/// Standard streams that are closed, and a standard output that is full.
@Suite struct StandardStreamTests {
  @Test(
    "nothing is written in place of a closed standard stream",
    arguments: ["2>&-", "1>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"])
  func nothingIsWrittenInPlaceOfAClosedStream(closed: String) throws {
    let folder = try BatchTests.tree()
    let outcome = try CommandLineTool(at: "/bin/sh").run(
      [
        "-c",
        """
        "$0" predict p/one.jpg none.jpg --weights compact --refine none --output-dir maps --json \
          --manifest m.jsonl \(closed); echo $? >status
        """, depthTool.path,
      ], in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let status = try TemporaryFolder.bytes(of: folder.path("status"))
    #expect(String(decoding: status, as: UTF8.self) == "1\n")
    let manifest = try TemporaryFolder.bytes(of: folder.path("m.jsonl"))
    for line in String(decoding: manifest, as: UTF8.self).split(separator: "\n") {
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["weights_id"] == nil && object != nil, "\(closed): \(line)")
    }
  }

  /// A full disk may have room later and is no fault of the input.
  @Test(
    "a full standard output ends with status 75",
    .enabled(if: access("/dev/full", W_OK) == 0, "needs /dev/full"),
    arguments: [
      "stream --from rgb24 --size 64x48 --refine none --quiet --weights compact",
      "watch --scan --every-frame --from rgb24 --size 64x48 --quiet --weights compact",
      "benchmark --runs 1 --weights compact", "benchmark --runs 1 --json --weights compact",
      "weights info", "benchmark --runs 1",
    ])
  func aFullStandardOutputMayPass(command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let outcome: CommandLineTool.Outcome
    if words.contains("compact") {
      let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
      defer { close(full) }
      outcome = try CommandRun.heard(
        input: [UInt8](repeating: 90, count: 64 * 48 * 3), output: full
      ) { DepthProgram.run(words) }
    } else {
      outcome = try depthTool.run(
        words, environment: ["DEPTH_WEIGHTS": "compact"], outputFile: "/dev/full")
    }
    #expect(outcome.status == 75, "\(outcome.errors)")
    #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
    #expect(outcome.errors.hasSuffix(": no space left on the device\n"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("DEPTH_WEIGHTS"))
  }
}
