import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// Notes on assumptions and doubts of an estimate.
@Suite struct EstimateNotesTests {
  private static let assumed =
    "has no focal length, so its metres assume an angle of view of 63° along its longer side; give the photo's with "
    + "--focal-length 26mm or --fov 70"

  /// Photos without Exif.
  private func photos(_ names: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (index, name) in names.enumerated() {
      try MadeUpPictures.photo(height: 48, width: 64, seed: UInt64(index))
        .write(to: URL(filePath: folder.path(name)))
    }
    return folder
  }

  private func errors(
    _ arguments: [String], in folder: TemporaryFolder
  ) throws -> [String] {
    let outcome = try runDepth(
      arguments + ["--overwrite"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.errorLines.map(String.init).filter { $0.contains("focal length") }
  }

  @Test("an assumed focal length is noted once") func anAssumedFocalLengthIsNotedOnce() throws {
    let folder = try photos("a.png", "b.png")
    let predict = ["predict", "a.png", "b.png", "--threads", "1"]
    #expect(try errors(predict, in: folder) == ["depth: a.png: \(Self.assumed)"])
    #expect(try errors(["export"] + predict.dropFirst(), in: folder).count == 1)
    #expect(try errors(predict + ["--quiet"], in: folder).isEmpty)
    #expect(try errors(predict + ["--focal-length", "26mm"], in: folder).isEmpty)
    #expect(try errors(predict + ["--focal-length", "none"], in: folder).isEmpty)
  }

  @Test("an assumed focal length is noted only if metres are used")
  func onlyUsesOfMetresAreNoted() throws {
    let folder = try photos("a.png")
    let effect = ["effect", "blur", "a.png"]
    #expect(try errors(effect + ["--focus", "0.5"], in: folder).isEmpty)
    #expect(try errors(effect + ["--focus", "3m"], in: folder).count == 1)
    #expect(try errors(["effect", "haze", "a.png", "--strength", "0.5"], in: folder).isEmpty)
    #expect(try errors(["effect", "haze", "a.png", "--density", "0.5"], in: folder).count == 1)
    #expect(try errors(["stereo", "a.png"], in: folder).isEmpty)
  }

  private struct Record: Decodable {
    let uncertainty, expectedError: Double
    let focalLengthSource: String
  }

  private func record(_ arguments: [String], in folder: TemporaryFolder) throws -> Record {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let outcome = try runDepth(arguments + ["--json", "--overwrite"], in: folder)
    return try decoder.decode(Record.self, from: Data(outcome.output))
  }

  /// `uncertainty` is for the training camera. Messages treat an unknown camera as another camera.
  @Test(
    "expected errors double for other cameras",
    arguments: ["predict", "effect haze", "export"])
  func errorsGrowWithOtherCameras(command: String) throws {
    let folder = try photos("a.png")
    let predict = command.split(separator: " ").map(String.init) + ["a.png"]
    let plain = try record(predict + ["--fov", "63"], in: folder)
    for (options, factor, told) in [
      (["--fov", "63"], 1.0, 1.0), (["--fov", "75"], 2, 2), (["--fov", "50"], 2, 2),
      (["--focal-length", "none"], 1, 2), ([], 1, 2),
    ] {
      let found = try record(predict + options, in: folder)
      #expect(found.uncertainty == plain.uncertainty, "\(options)")
      #expect(abs(found.expectedError - factor * found.uncertainty) < 1e-9, "\(options)")
      let errors = try runDepth(predict + options + ["--overwrite"], in: folder).errors
      let percent = Int((told * found.uncertainty * 100).rounded())
      #expect(errors.contains("expect errors of \(percent) %"), "\(options): \(errors)")
    }
  }

  @Test("notes and JSON state equal expected errors", arguments: ["predict", "stereo", "export"])
  func largeErrorsAreNoted(command: String) throws {
    let folder = try photos("a.png")
    let outcome = try runDepth([command, "a.png", "--json", "--fov", "63"], in: folder)
    #expect(outcome.errors.isEmpty)
    let record = try record([command, "a.png", "--fov", "63"], in: folder)
    // A pattern of blocks does not look like a room.
    #expect(record.uncertainty >= 0.25 && record.focalLengthSource == "option")
    let percent = Int((record.uncertainty * 100).rounded())
    let told = try runDepth(
      [command, "a.png", "--fov", "63", "--overwrite"], in: folder)
    #expect(
      told.errorLines.prefix(1) == [
        "depth: a.png: differs from the furnished rooms of the training photos: expect errors of \(percent) %"
      ])
    let quiet = try runDepth(
      [command, "a.png", "--quiet", "--overwrite"], in: folder)
    #expect(quiet.errors.isEmpty)
  }

  /// A typical mistake is metres instead of millimetres.
  @Test("a known distance over twice or under half the estimate is doubted")
  func knownDistancesFarFromTheEstimateAreDoubted() throws {
    let folder = try photos("a.png")
    func doubts(_ points: String...) throws -> [String] {
      let outcome = try runDepth(
        ["calibrate", "a.png"] + points.flatMap { ["--at", $0] } + [
          "--overwrite"
        ],
        in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.errorLines.map(String.init).filter {
        $0.contains("what the network estimates")
      }
    }
    #expect(try doubts("20,20=2400m").count == 1)
    #expect(
      try doubts("20,20=2.4cm").first?.hasPrefix("depth: a.png: the known distance at 20,20 is 0.0")
        == true)
    let map = folder.path("a.npy")
    _ = try runDepth(["predict", "a.png", "-o", map], in: folder)
    let estimated = try DepthMap(contentsOf: URL(filePath: map)).values
    let depth = estimated[20 * 64 + 20]
    #expect(try doubts("20,20=\(depth * 1.9)m").isEmpty)
    #expect(try doubts("20,20=\(depth * 2.1)m").count == 1)
    #expect(try doubts("20,20=\(depth / 2.1)m").count == 1)
    // One of two points is wrong, so the curve through both points is wrong everywhere. The nearer one is moved nearer, so
    // that the order of both still fits the map.
    let (near, far) = depth < estimated[30 * 64 + 40] ? ((20, 20), (40, 30)) : ((40, 30), (20, 20))
    let distances = [near, far].map { estimated[$0.1 * 64 + $0.0] }
    let wrong = try doubts(
      "\(near.0),\(near.1)=\(distances[0] / 3)m", "\(far.0),\(far.1)=\(distances[1])m")
    #expect(wrong.first?.contains(" at \(near.0),\(near.1) is 0.33 ") == true, "\(wrong)")
  }

  @Test("only several named photos end with a summary")
  func severalNamedPhotosEndWithASummary() throws {
    let folder = try photos("a.png", "b.png")
    let outcome = try runDepth(
      ["predict", "a.png", "none.png", "b.png"], in: folder)
    #expect(outcome.status == 1)
    let summary = try #require(outcome.errorLines.last)
    #expect(summary.hasPrefix("depth: 2 of 3 photos done, 1 failed, "))
    let one = try runDepth(
      ["predict", "a.png", "--overwrite"], in: folder)
    #expect(!one.errors.contains("photos done"))
  }

  @Test("the error for an existing file names helpful options")
  func existingFilesCanBeSkipped() async {
    await #expect(processExitsWith: .success) {
      let folder = try EstimateNotesTests().photos("a.png", "b.png")
      #expect(FileManager.default.changeCurrentDirectoryPath(folder.path))
      _ = try folder.write([1], to: "a_depth.png")
      _ = try folder.write([1], to: "b_depth.png")
      let outcome = try runDepth(
        ["predict", "a.png", "b.png"])
      #expect(
        outcome.errors
          == "depth: ./a_depth.png: exists already, and so does one more file; --overwrite replaces them, "
          + "--skip-existing skips photos that are done\n")
      _ = try folder.write([1], to: "a_calibration.json")
      let calibrate = try runDepth(
        ["calibrate", "a.png", "--at", "1,1=2m"])
      #expect(
        calibrate.errors.hasSuffix("a_calibration.json: exists already; --overwrite replaces it\n"))
    }
  }
}
