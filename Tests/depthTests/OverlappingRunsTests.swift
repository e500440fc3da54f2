import AtomicFiles
import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// Two runs with `--skip-existing` over one folder share the work.
@Suite(.offPool) struct OverlappingRunsTests {
  private func photos(_ count: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("p"), withIntermediateDirectories: true)
    for index in 0..<count {
      let image = Image(
        height: 240, width: 320,
        pixels: (0..<240 * 320 * 3).map { UInt8(($0 * (index + 3)) >> 6 & 255) })
      _ = try folder.write(image.encoded(as: .jpeg()), to: "p/photo\(index + 10).jpg")
    }
    return folder
  }

  /// NumPy files have no room for what they were made with; their folder keeps it.
  @Test(arguments: ["png", "npy"])
  func eachPhotoIsMadeOnce(format: String) throws {
    let count = 24
    let folder = try photos(count)
    let command =
      ["predict", "p", "--output-dir", "out", "--format", format, "--skip-existing"]
      + ["--manifest", "log.jsonl", "--weights", "compact"]
    let runs = try (0..<2).map { _ in try depthTool.start(command, in: folder.path) }
    let outcomes = try runs.map { try $0.finish() }
    for outcome in outcomes {
      #expect(outcome.status == 0 && outcome.errorLines.count == 1, "\(outcome.errors)")
    }
    let made = try BatchTests.manifest("log.jsonl", in: folder).filter { $0["skipped"] == nil }
    #expect(made.count == count)
    #expect(Set(made.compactMap { $0["path"] as? String }).count == count)
    #expect(made.allSatisfy { $0["error"] == nil })
    #expect(
      try BatchTests.files(below: "out", of: folder).filter { $0.hasSuffix(format) }.count == count)
  }

  /// A lock of another program delays a photo; it is made at the end, once the lock is gone.
  @Test func aClaimedPhotoComesLast() throws {
    let folder = try photos(3)
    let url = URL(fileURLWithPath: folder.path("p/photo10.jpg"))
    guard case .mine(let claim) = FileClaim.ask(for: url) else {
      Issue.record("no claim")
      return
    }
    guard case .taken = FileClaim.ask(for: url) else {
      Issue.record("claimed twice")
      return
    }
    let run = try depthTool.start(
      ["predict", "p", "--output-dir", "out", "--skip-existing", "--weights", "compact"]
        + ["--refine", "none", "--threads", "1"], in: folder.path)
    let (first, last) = (folder.path("out/photo10_depth.png"), folder.path("out/photo12_depth.png"))
    while run.isRunning, !FileManager.default.fileExists(atPath: last) { usleep(1000) }
    #expect(!FileManager.default.fileExists(atPath: first))
    withExtendedLifetime(claim) {}
    _ = consume claim
    let outcome = try run.finish()
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(FileManager.default.fileExists(atPath: first))
  }
}
