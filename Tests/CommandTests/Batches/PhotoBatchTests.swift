import ArgumentParser
import DepthBase
import DepthErrors
import DepthImages
import DepthPhotos
import Foundation
import PictureFiles
import Synchronization
import Testing
import _TestSupport

@testable import DepthCommands

/// Commands over photos, called in this process.
@Suite struct PhotoBatchTests {
  /// A folder of photos, of which the second is damaged.
  private func photos(_ folder: TemporaryFolder) throws -> String {
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: true)
    for (index, name) in ["a.png", "c.png", "d.jpg"].enumerated() {
      try TestPhoto.image(height: 48, width: 64 + 16 * index).write(to: folder.url("in/\(name)"))
    }
    _ = try folder.write(Array("no photo".utf8), to: "in/b.png")
    return folder.path("in")
  }

  @Test("reports come in the order of photos", arguments: [1, 3])
  func reportsComeInTheOrderOfPhotos(threads: Int) throws {
    let folder = try TemporaryFolder()
    let outcome = try runDepth([
      "predict", try photos(folder), "--output-dir", folder.path("out"),
      "--json", "--quiet", "--threads", "\(threads)",
    ])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("in/b.png: ") && !outcome.errors.contains("a.png"))
    #expect(outcome.lines.count == 4)
    for (line, name) in zip(outcome.lines, ["a.png", "b.png", "c.png", "d.jpg"]) {
      #expect(line.contains("/in/\(name)\""), "\(line)")
      #expect(line.contains("\"error\":") == (name == "b.png"), "\(line)")
    }
    let made = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
    #expect(made == ["a_depth.png", "c_depth.png", "d_depth.png"])
  }

  @Test("times of steps are positive and add up") func timesOfStepsArePositiveAndAddUp() throws {
    let folder = try TemporaryFolder()
    try TestPhoto.image().write(to: folder.url("a.png"))
    let outcome = try runDepth([
      "predict", folder.path("a.png"), "--json", "--quiet",
    ])
    struct Line: Decodable { let milliseconds: [String: Double] }
    let times = try JSONDecoder().decode(Line.self, from: Data(outcome.output)).milliseconds
    let parts = ["load", "decode", "resize", "network", "refine", "encode"]
    #expect(times.keys.sorted() == (parts + ["total"]).sorted())
    #expect(parts.allSatisfy { times[$0]! > 0 })
    #expect(abs(parts.reduce(0) { $0 + times[$1]! } - times["total"]!) < 0.01)
  }

  @Test(
    "every command reports its steps and its outputs",
    arguments: [
      (["stereo"], "a_2x1.png", "views"), (["effect", "blur", "--focus", "0.5"], "", "effect"),
      (["export", "--format", "ply"], "a.ply", "geometry"),
    ])
  func everyCommandHasTheSameSteps(command: [String], file: String, step: String) throws {
    let folder = try TemporaryFolder()
    try TestPhoto.image().write(to: folder.url("a.png"))
    try TestPhoto.depth().write(to: folder.url("d.pfm"))
    let outcome = try runDepth(
      command + [
        folder.path("a.png"), "--depth", folder.path("d.pfm"), "--output-dir", folder.path("out"),
        "--json", "--quiet",
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    struct Line: Decodable {
      let outputs: [String]
      let milliseconds: [String: Double]
    }
    let line = try JSONDecoder().decode(Line.self, from: Data(outcome.output))
    #expect(Set(line.milliseconds.keys) == ["decode", "depth", step, "write"])
    #expect(line.milliseconds[step]! > 0 && line.milliseconds["decode"]! > 0)
    #expect(!line.outputs.isEmpty)
    #expect(line.outputs.allSatisfy { FileManager.default.fileExists(atPath: $0) })
  }

  /// Runs work on photos, and returns its result.
  private func perform(
    _ photos: [PhotoInput], threads: Int, json: Bool = false,
    read: @escaping @Sendable (PhotoRun) throws -> Void,
    make: @escaping @Sendable () throws -> [String] = { [] }
  ) throws -> CommandLineTool.Outcome {
    let selection = try PhotoSelection(photos.map(\.path), BatchSettings(), outputFolders: [])
    var plan = OutputPlan()
    plan.outputs = photos.map {
      OutputPlan.Output(file: $0.output("_depth.png", in: nil), photo: $0.path)
    }
    let batch = try PhotoBatch(selection, plan, BatchSettings())
    let work = PhotoWork { run in
      try read(run)
      return PhotoWithDepth(TestPhoto.image(height: 8, width: 8))
    } make: { _, run in
      PhotoProduct {
        _ = try make()
        return []
      } record: {
        PhotoRecord(input: run.photo.path, outputs: $0, depth: DepthFacts(), facts: [])
      }
    }
    return try CommandRun.heard {
      do { try batch.perform(threads: threads, json: json, isQuiet: true, work) } catch {
        return (error as? RunStatus)?.rawValue ?? -1
      }
      return 0
    }
  }

  @Test("nothing is computed after a full disk") func afterAFullDiskNothingIsComputed() throws {
    let folder = try TemporaryFolder()
    let photos = ["a.jpg", "b.jpg", "c.jpg"].map { PhotoInput(path: folder.path($0)) }
    let seen = Mutex<[String]>([])
    let outcome = try perform(photos, threads: 1, json: true) { run in
      seen.withLock { $0.append(run.photo.path) }
    } make: {
      throw DepthError(
        .unwritable, file: "a.png", "no space left on the device", cause: SystemFailure(ENOSPC))
    }
    #expect(seen.withLock(\.self) == [photos[0].path])
    #expect(outcome.lines.count == 3 && outcome.lines.allSatisfy { $0.contains("no space left") })
    #expect(outcome.status == RunStatus.tryAgain.rawValue)
  }

  @Test("the last photo of a run has all threads") func theLastPhotoHasAllThreads() throws {
    let folder = try TemporaryFolder()
    let photos = try ["a.png", "b.png", "c.png"].map { name in
      try TestPhoto.image(height: 8, width: 8).write(to: folder.url(name))
      return PhotoInput(path: folder.path(name))
    }
    let threads = Mutex<[String: Int]>([:])
    _ = try perform(photos, threads: 6) { run in
      let file = try PhotoFile(contentsOf: run.photo.url, limits: ImageLimits())
      try run.admit(MemoryNeed(bytes: 1000), of: file)
      threads.withLock { $0[run.photo.name] = run.call.threads }
    }
    #expect(threads.withLock(\.self) == ["a.png": 2, "b.png": 3, "c.png": 6])
  }

  @Test("only a temporary failure is marked for a retry")
  func failuresThatPassAreWorthAnotherTry() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("m.jsonl")
    let report = BatchReport(
      manifest: try Manifest(appendingTo: path), json: false, load: .zero,
      progress: BatchProgress(total: 2, isMany: true, isShown: false))
    let errors = [
      DepthError(.unwritable, file: "a.png", "no space left", cause: SystemFailure(ENOSPC)),
      DepthError.damaged(file: "b.jpg", format: "JPEG", reason: "ends early"),
    ]
    _ = try CommandRun.heard {
      for (index, error) in errors.enumerated() {
        report.finished(index, PhotoInput(path: "\(index).jpg"), .failed(error, .zero))
      }
      return 0
    }
    let lines = String(decoding: try TemporaryFolder.bytes(of: path), as: UTF8.self)
      .split(separator: "\n")
    #expect(lines.map { $0.contains("\"retry\":true") } == [true, false])
    #expect(lines.last?.contains("\"retry\":false") == true)
  }

  @Test("wrong usage is reported with its command") func wrongUsageNamesItsCommand() throws {
    let outcome = try runDepth(["predict", "a.png", "--null"])
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("--null requires --files-from"))
    #expect(outcome.errors.contains("See 'depth predict --help'"))
    let help = try runDepth(["effect", "--help"])
    #expect(help.status == 0 && help.errors.isEmpty && help.text.contains("USAGE: depth effect"))
  }

  /// With `--json | head -1`, the manifest still has every finished photo.
  @Test("a closed output ends a run without an error") func aReaderThatLeavesEndsTheRun() throws {
    let folder = try TemporaryFolder()
    let photos = try photos(folder)
    let pipe = try #require(OwnDescriptor.pipe())
    close(pipe.read)
    defer { close(pipe.write) }
    func status(_ arguments: [String]) throws -> Int32 {
      let outcome = try CommandRun.heard(output: pipe.write) { DepthProgram.run(arguments) }
      #expect(outcome.errors.isEmpty, "\(outcome.errors)")
      return outcome.status
    }
    let predict = [
      "predict", photos, "--output-dir", folder.path("out"), "--json",
      "--quiet", "--threads", "1", "--manifest", folder.path("m.jsonl"),
    ]
    #expect(try status(predict) == 0)
    #expect(try status(["weights", "info"]) == 0)
    let manifest = String(
      decoding: try TemporaryFolder.bytes(of: folder.path("m.jsonl")), as: UTF8.self)
    #expect(manifest.split(separator: "\n").count == 1 && manifest.contains("a.png"))
  }

  @Test("a long result name fails only one photo") func aNameTooLongFailsOnePhoto() throws {
    let folder = try TemporaryFolder()
    let photos = try photos(folder)
    let long = String(repeating: "x", count: 248) + ".png"
    try TestPhoto.image(height: 48, width: 64).write(to: folder.url("in/\(long)"))
    let outcome = try runDepth([
      "predict", photos, "--output-dir", folder.path("out"), "--refine",
      "none", "--quiet", "--manifest", folder.path("m.jsonl"),
    ])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("_depth.png: the name is too long"), "\(outcome.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
    #expect(names.sorted() == ["a_depth.png", "c_depth.png", "d_depth.png"])
    let manifest = String(
      decoding: try TemporaryFolder.bytes(of: folder.path("m.jsonl")), as: UTF8.self)
    let line = try #require(manifest.split(separator: "\n").first { $0.contains("xxx") })
    #expect(line.contains("\"relative\":\"\(long)\"") && line.contains("\"retry\":false"))
  }

  @Test("a failure to decode is kept with the opened photo") func aFailureToDecodeIsKept() throws {
    let folder = try TemporaryFolder()
    let whole = try TestPhoto.image(height: 48, width: 64).encoded(as: .jpeg(quality: 90))
    let damaged = try folder.write(Array(whole.prefix(whole.count / 2)), to: "a.jpg")
    let opened = try PhotoInput(path: damaged).opened(limits: ImageLimits())
    #expect(throws: DepthError.self) { try opened.image?.get() }
    #expect(opened.image != nil)
  }

  /// The code decides on status 75 and on a retry in the manifest.
  @Test("naming the photo keeps an error's code") func anErrorThatGetsANameKeepsItsCode() throws {
    let shortage = DepthError(
      .insufficientMemory, "needs more", cause: SystemFailure(ENOMEM))
    let error = #expect(throws: DepthError.self) {
      try namingFailures(of: "photo.jpg") { throw shortage }
    }
    #expect(error?.code == .insufficientMemory && error?.isTemporary == true)
    #expect(error?.description == "photo.jpg: needs more")
  }
}
