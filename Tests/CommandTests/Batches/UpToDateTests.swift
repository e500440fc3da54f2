import Foundation
import SystemEssentials
import Testing
import _TestSupport

@testable import DepthCommands

/// Photos and films are skipped by the rule of `make`: no output is older than an input.
@Suite struct UpToDateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file that was last written at these nanoseconds of a fixed second.
  private func file(_ name: String, at nanoseconds: Int) throws -> URL {
    let path = try folder.write([1], to: name)
    let time = timespec(tv_sec: 1_700_000_000, tv_nsec: nanoseconds)
    try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    return URL(filePath: path)
  }

  private func holds(_ outputs: [URL], _ inputs: [URL]) -> Bool {
    UpToDate.holds(outputs, from: inputs.map { $0.path(percentEncoded: false) })
  }

  @Test("outputs as new as each input are up to date") func noOutputIsOlderThanAnInput() throws {
    let photo = try file("photo.jpg", at: 500)
    let (equal, older) = (try file("equal.png", at: 500), try file("older.png", at: 499))
    let newer = try file("newer.png", at: 501)
    #expect(holds([equal], [photo]) && holds([newer, equal], [photo]))
    #expect(!holds([older], [photo]) && !holds([newer, older], [photo]))
    // Every input counts.
    #expect(holds([newer], [photo, equal, newer]) && !holds([equal], [photo, newer]))
  }

  @Test("a missing output or input is not up to date") func everyFileMustExist() throws {
    let photo = try file("photo.jpg", at: 500)
    let output = try file("output.png", at: 600)
    #expect(!holds([output, folder.url("missing.png")], [photo]))
    #expect(!holds([output], [photo, folder.url("missing.pfm")]))
    #expect(!holds([], [photo]))
    // A folder of this name is no output.
    #expect(!holds([URL(filePath: folder.path)], [photo]))
  }

  /// A full disk or a power cut may leave an empty file.
  @Test("an empty output is not up to date") func anEmptyOutputIsNone() throws {
    let photo = try file("photo.jpg", at: 500)
    let output = try file("output.png", at: 600)
    #expect(holds([output], [photo]))
    #expect(truncate(output.path(percentEncoded: false), 0) == 0)
    #expect(!holds([output], [photo]))
  }

  /// A camera's wrong clock would make a photo newer than all results for years.
  @Test("a file dated in the future counts by the time of its last change")
  func futureDatesCountByTheLastChange() throws {
    let photo = try file("photo.jpg", at: 500).path(percentEncoded: false)
    #expect(UpToDate.note(on: [photo, photo]) == nil)
    let far = timespec(tv_sec: 7_000_000_000, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, photo, [far, far], 0) == 0)
    // The output is written after the photo's change.
    let output = URL(filePath: try folder.write([1], to: "output.png"))
    #expect(UpToDate.holds([output], from: [photo]))
    #expect(UpToDate.note(on: [photo])?.hasPrefix("\(photo): dated in the future") == true)
    #expect(UpToDate.note(on: [photo, photo, photo])?.contains(" and 2 more: ") == true)
    let old = timespec(tv_sec: 1_700_000_000, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, output.path, [old, old], 0) == 0)
    #expect(!UpToDate.holds([output], from: [photo]))
  }

  @Test("standard streams are never up to date") func standardStreamsHaveNoAge() throws {
    let output = try file("output.png", at: 500)
    #expect(UpToDate.holds([output], from: []))
    #expect(!UpToDate.holds([output], from: ["-"]))
    #expect(!UpToDate.holds([output, Console.standardOutput], from: []))
  }

  @Test("a newer depth file or source makes outputs out of date")
  func aPhotosDepthFileAndTheRunsSourcesCount() throws {
    let (photo, output) = (try file("photo.jpg", at: 500), try file("output.png", at: 500))
    let path = photo.path(percentEncoded: false)
    var plan = OutputPlan()
    plan.outputs = [OutputPlan.Output(file: output, photo: path)]
    #expect(plan.areUpToDate(plan.outputs, of: path))
    let newer = try file("newer", at: 501).path(percentEncoded: false)
    plan.depthFiles = ["another.jpg": [newer]]
    #expect(plan.areUpToDate(plan.outputs, of: path))
    plan.depthFiles[path] = [newer]
    #expect(!plan.areUpToDate(plan.outputs, of: path))
    plan.depthFiles = [:]
    plan.sources = [newer]
    #expect(!plan.areUpToDate(plan.outputs, of: path))
  }

  @Test("an outdated shared file is replaced") func sharedFilesAreReplacedWhenTheyAreOld() throws {
    let photo = try file("photo.jpg", at: 500).path(percentEncoded: false)
    var plan = OutputPlan()
    func replaces(at nanoseconds: Int) throws -> Bool {
      var camera = OutputPlan.Output(file: try file("camera.json", at: nanoseconds), photo: photo)
      camera.isShared = true
      return plan.replacesShared(among: [camera], of: photo)
    }
    #expect(try !replaces(at: 499))
    plan.replacesOutdated = true
    #expect(try replaces(at: 499) && !replaces(at: 500))
    plan.overwrite = true
    #expect(try replaces(at: 500))
  }

  @Test("the summary counts skipped photos") func theSummaryCountsSkippedPhotos() {
    let record = PhotoRecord(input: "a.jpg", outputs: [], depth: DepthFacts(), facts: [])
    let report = BatchReport(
      manifest: nil, json: false, load: .zero,
      progress: BatchProgress(total: 2, isMany: true, isShown: false))
    report.finished(0, PhotoInput(path: "a.jpg"), .made(record, pixels: 1, .zero))
    #expect(report.summary(of: 2, in: "1 s") == "1 of 2 photos done, 1 s")
    report.finished(1, PhotoInput(path: "b.jpg"), .skipped(["b.png"]))
    #expect(
      report.summary(of: 2, in: "1 s")
        == "1 of 2 photos done, 1 skipped, 1 s; "
        + "files are skipped by their modification times, options are not compared")
  }
}
