import Foundation
import Testing
import _TestSupport

/// Depth read from a pipe, and written to a pipe whose reader leaves.
@Suite struct PipedDepthTests {
  @Test("refine, stereo and effect read depth from standard input")
  func refineReadsDepthFromStandardInput() throws {
    let folder = try TemporaryFolder()
    let base = ["--refine", "none"]
    _ = try runDepth(["predict", livingRoom, "-o", folder.path("d.pfm")] + base)
    let bytes = try TemporaryFolder.bytes(of: folder.path("d.pfm"))
    let commands = [
      ["refine", livingRoom, "DEPTH", "-o", "r.pfm"], ["stereo", livingRoom, "--depth", "DEPTH"],
      ["effect", "haze", livingRoom, "--depth", "DEPTH"],
    ]
    for command in commands {
      func output(_ depth: String, _ input: [UInt8]) throws -> [UInt8] {
        let arguments = command.map { $0 == "DEPTH" ? depth : $0 }
        let target = arguments.contains("-o") ? [] : ["-o", "r.png"]
        let outcome = try runDepth(
          arguments + target + ["--overwrite"], input: input, in: folder)
        #expect(outcome.status == 0, "\(command): \(outcome.errors)")
        return try TemporaryFolder.bytes(
          of: folder.path(arguments.contains("-o") ? "r.pfm" : "r.png"))
      }
      let piped = try output("-", bytes)
      let named = try output("d.pfm", [])
      if command[0] == "refine" {
        #expect(piped == named)
      } else {
        // A depth file states its length inside, which a pipe does not.
        #expect(abs(piped.count - named.count) < 64, "\(command)")
      }
    }
    let twice = try runDepth(["refine", "-", "-", "-o", "x.pfm"], in: folder)
    #expect(
      twice.status == 64
        && twice.errors.contains("standard input, '-', is given twice, expected once"))
  }

  @Test(
    "a closed output pipe is no failure",
    arguments: [
      ["predict", "-o", "-"], ["stereo", "-o", "-", "--lossless"],
      ["effect", "haze", "-o", "-", "--lossless"],
    ])
  func aReaderThatLeavesIsNoFailure(arguments: [String]) throws {
    let command =
      ([depthTool.path] + arguments + [livingRoom, "--fov", "63"])
      .map { "'\($0)'" }.joined(separator: " ")
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [
      "-c", "\(command) 2> errors | head -c 1 > first; echo ${PIPESTATUS[0]} > status",
    ]
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    try process.run()
    process.waitUntilExit()
    func text(_ name: String) throws -> String {
      String(decoding: try TemporaryFolder.bytes(of: folder.path(name)), as: UTF8.self)
    }
    #expect(try text("status") == "0\n" && text("errors") == "")
  }
}
