import Foundation
import Testing
import _TestSupport

/// A program outside the checkout uses only weights beside the program.
@Suite struct MovedProgramTests {
  private static let resources = "swift-depth_DepthWeights.resources"

  private func run(_ folder: TemporaryFolder, _ name: String = "bin/depth") throws
    -> CommandLineTool.Outcome
  {
    try CommandLineTool(at: folder.path(name)).run(
      ["predict", livingRoom, "-o", "-", "--refine", "none"], environment: ["DEPTH_WEIGHTS": ""])
  }

  @Test("a moved program finds adjacent weights") func weightsMoveWithTheProgram() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    try manager.createDirectory(
      atPath: folder.path("bin"), withIntermediateDirectories: false)
    // Another process copies the program. A parallel test's process could inherit an open copy,
    // and a program that is open for writing cannot be started ("Text file busy").
    let copied = try CommandLineTool(at: "/bin/cp").run([depthTool.path, folder.path("bin/depth")])
    #expect(copied.status == 0, "\(copied.errors)")
    let built = URL(filePath: depthTool.path).deletingLastPathComponent()
      .appending(path: Self.resources).path(percentEncoded: false)
    let moved = folder.path("bin/\(Self.resources)")
    try manager.copyItem(atPath: built, toPath: moved)
    let here = try runDepth(["predict", livingRoom, "-o", "-", "--refine", "none"])
    let there = try run(folder)
    #expect(there.status == 0 && there.output == here.output, "\(there.errors)")
    // A link to the program finds weights beside the program.
    try manager.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("bin/depth"))
    #expect(try run(folder, "link").status == 0)

    // Weights planted in a folder above are not loaded.
    try manager.moveItem(atPath: moved, toPath: folder.path("Weights"))
    let refused = try run(folder)
    #expect(refused.status == 1 && refused.errorLines.count == 1, "\(refused.errors)")
    #expect(refused.errors.contains("looked in"), "\(refused.errors)")
    #expect(refused.errors.contains(folder.path("bin/Weights")), "\(refused.errors)")

    // The README allows Weights beside the program, or share beside the program's folder.
    try manager.moveItem(atPath: folder.path("Weights"), toPath: folder.path("bin/Weights"))
    #expect(try run(folder).status == 0)
    try manager.createDirectory(
      atPath: folder.path("share/swift-depth"), withIntermediateDirectories: true)
    try manager.moveItem(
      atPath: folder.path("bin/Weights"), toPath: folder.path("share/swift-depth/Weights"))
    #expect(try run(folder).status == 0)
  }
}
