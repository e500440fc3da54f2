import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// Two simultaneous runs with `--skip-existing` may both compute a photo, and neither run fails.
@Suite struct OverlappingRunsTests {
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

  @Test("two simultaneous runs give the files of one run", arguments: ["png", "npy"])
  func overlappingRunsDoNotFail(format: String) throws {
    let count = 24
    let folder = try photos(count)
    let command =
      ["predict", "p", "--format", format, "--skip-existing"]
      + ["--manifest", "log.jsonl", "--output-dir"]
    let runs = try (0..<2).map { _ in try depthTool.start(command + ["out"], in: folder.path) }
    let outcomes = try runs.map { try $0.finish() }
    for outcome in outcomes {
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errorLines.count { $0.contains("photos done") } == 1)
    }
    let lines = try BatchTests.manifest("log.jsonl", in: folder)
    #expect(lines.allSatisfy { $0["error"] == nil })
    let made = lines.filter { $0["skipped"] == nil }
    #expect(Set(made.compactMap { $0["path"] as? String }).count == count)
    // The later file equals the earlier file.
    #expect(try BatchTests.run(command + ["alone"], in: folder).status == 0)
    let names = try BatchTests.files(below: "out", of: folder)
    #expect(try names.count == count && names == BatchTests.files(below: "alone", of: folder))
    for name in names {
      #expect(
        try TemporaryFolder.bytes(of: folder.path("out/\(name)"))
          == TemporaryFolder.bytes(of: folder.path("alone/\(name)")))
    }
  }
}
