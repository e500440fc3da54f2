import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import DepthCommands

/// Manifest lines that a run leaves for later runs.
@Suite struct ManifestTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("m.jsonl")
  }

  private static let done = #"{"outputs":["a.png"],"path":"a.jpg","relative":"a.jpg"}"#
  private static let failed = #"{"error":"x","outputs":[],"path":"a.jpg","relative":"a.jpg"}"#

  private func lines() throws -> [Substring] {
    String(decoding: try TemporaryFolder.bytes(of: path), as: UTF8.self).split(separator: "\n")
  }

  /// Skips the photo in a run after these manifest lines.
  private func skip(after earlier: [String]) throws {
    _ = try folder.write(Array((earlier.joined(separator: "\n") + "\n").utf8), to: "m.jsonl")
    var line = ManifestLine(PhotoInput(path: "a.jpg"))
    line.skipped = true
    try Manifest(appendingTo: path).append(line)
  }

  /// Otherwise the photo's last line would state the failure for ever.
  @Test("a failed photo that is up to date gets a line") func upToDateFailuresGetALine() throws {
    for earlier in [[Self.failed], [Self.done, Self.failed]] {
      try skip(after: earlier)
      #expect(try lines().count == earlier.count + 1)
      #expect(try PhotoList(contentsOf: path, isNullTerminated: false).photos.isEmpty)
    }
  }

  /// Otherwise, a nightly run over a million finished photos would add a million lines.
  @Test("a finished photo gets no second line") func aPhotoThatIsDoneGetsNoLineForEachRun() throws {
    for earlier in [[Self.done], [Self.failed, Self.done]] {
      try skip(after: earlier)
      #expect(try lines().count == earlier.count)
    }
  }

  /// A full disk or a power cut in the first line must not end all later runs.
  @Test(
    "a manifest cut in its first line is continued",
    arguments: [
      ("{", true), (#"{"pa"#, true), (#"{"outputs":["a.p"#, true), (#"{"error":"x""#, true),
      (#"{"format":"x"#, false), ("a.jpg", false), (#"{"format":"depth-calibration"}"#, false),
    ])
  func aManifestCutInItsFirstLineIsContinued(text: String, isManifest: Bool) throws {
    _ = try folder.write(Array(text.utf8), to: "m.jsonl")
    if isManifest {
      #expect(throws: Never.self) { try Manifest.check(path) }
    } else {
      #expect(throws: DepthError.self) { try Manifest.check(path) }
    }
  }
}
