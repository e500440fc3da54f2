import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

@testable import DepthCommands

/// Outputs that would fail or destroy a file are refused before weights are loaded.
/// The weights of these tests are a text file, which cannot be loaded.
@Suite struct OutputPlanTests {
  /// A folder with two photos, one depth file, and invalid weights.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let image = Image(height: 12, width: 16, pixels: [UInt8](repeating: 90, count: 576))
    for name in ["photo.png", "other.png"] {
      try image.write(to: URL(filePath: folder.path(name)))
    }
    try DepthMap(
      height: 12, width: 16, unit: .metres, values: [Float](repeating: 2, count: 192)
    ).write(to: URL(filePath: folder.path("depth.pfm")))
    _ = try folder.write(Array("no weights".utf8), to: "weights.h5")
    return folder
  }

  /// The exit status, and the only line of standard error without the prefix.
  private func refusal(
    _ arguments: [String], in folder: TemporaryFolder,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (status: Int32, line: String) {
    let outcome = try runDepth(arguments, in: folder)
    #expect(!outcome.wasKilled && outcome.output.isEmpty, sourceLocation: sourceLocation)
    #expect(outcome.errorLines.count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
    return (outcome.status, String(outcome.errorLines.first?.dropFirst(7) ?? ""))
  }

  @Test("folders of outputs are made") func outputFoldersAreMade() throws {
    let folder = try folder()
    let outcome = try runDepth(
      ["predict", "photo.png", "other.png", "--output-dir", "maps/new", "--view", "views/"],
      in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    for file in ["maps/new/photo_depth.png", "maps/new/other_depth.png", "views/other_view.png"] {
      #expect(FileManager.default.fileExists(atPath: folder.path(file)), "\(file)")
    }
    let stereo = try runDepth(
      ["stereo", "photo.png", "--depth", "depth.pfm", "--output-dir", "stereo/"], in: folder)
    #expect(stereo.status == 0, "\(stereo.errors)")
  }

  @Test(
    "further existing files are counted",
    arguments: [
      (1, "", "it"), (2, ", and so does one more file", "them"),
      (3, ", and so do 2 more files", "them"), (12, ", and so do 11 more files", "them"),
    ])
  func furtherFilesAreCounted(count: Int, others: String, pronoun: String) {
    let files = (1...count).map { "\($0).png" }
    #expect(
      OutputConflict.exists(files, mayBeSkipped: false).description
        == "1.png: exists already\(others); --overwrite replaces \(pronoun)")
  }

  /// A shared file may exist from another run. The content is compared on writing.
  @Test("a file that photos share may exist") func sharedFilesMayExist() throws {
    let folder = try folder()
    for name in ["shared.bin", "own.bin"] { _ = try folder.write([1], to: name) }
    let photo = folder.path("photo.png")
    let shared = OutputPlan.Output(file: folder.url("shared.bin"), photo: photo, isShared: true)
    let new = OutputPlan.Output(file: folder.url("new.bin"), photo: photo)
    let own = OutputPlan.Output(file: folder.url("own.bin"), photo: photo)
    for (outputs, overwrite, existing) in [
      ([shared, new], false, []), ([shared, own], false, [own.file.relativePath]),
      ([shared, own], true, []),
    ] {
      var plan = OutputPlan(inputs: [photo], overwrite: overwrite)
      plan.outputs = outputs
      if existing.isEmpty {
        #expect(throws: Never.self) { try plan.check() }
      } else {
        #expect(throws: OutputConflict.exists(existing, mayBeSkipped: false)) { try plan.check() }
      }
    }
  }

  @Test("unwritable places are refused before weights are loaded")
  func placesThatCannotBeWrittenToAreRefusedFirst() throws {
    let folder = try folder()
    _ = try folder.write([1], to: "photo_depth.png")
    _ = try folder.write([1], to: "other_depth.png")
    let predict = ["predict", "photo.png", "--weights", "weights.h5"]
    for (arguments, expected) in [
      (
        predict,
        "photo_depth.png: exists already; --overwrite replaces it, --skip-existing skips photos that are done"
      ),
      (
        predict + ["other.png", "missing.png"],
        "photo_depth.png: exists already, and so does one more file; --overwrite replaces them, --skip-existing skips photos that are done"
      ),
      (
        predict + ["-o", "no/such/d.png"],
        "no/such/d.png: the folder no/such does not exist"
      ),
      (
        predict + ["--output-dir", "depth.pfm/maps"],
        "depth.pfm/maps: a part of the path is not a folder"
      ),
      (predict + ["--output-dir", "depth.pfm"], "depth.pfm: is a file, expected a folder"),
      (
        predict + ["-o", "d.png", "--view", "no/v.png"],
        "no/v.png: the folder no does not exist"
      ),
      (
        ["stereo", "photo.png", "-o", "no/s.png", "--weights", "weights.h5"],
        "no/s.png: the folder no does not exist"
      ),
      (
        ["refine", "photo.png", "missing.pfm", "-o", "no/s.png"],
        "no/s.png: the folder no does not exist"
      ),
    ] {
      let (status, line) = try refusal(arguments, in: folder)
      #expect(status == 1 && line == expected)
    }
    #expect(try TemporaryFolder.bytes(of: folder.path("photo_depth.png")) == [1])
    #expect(!FileManager.default.fileExists(atPath: folder.path("d.png")))
  }

  @Test(
    "folders of other users are refused before weights are loaded",
    .enabled(if: UnprivilegedUser.isAvailable, "runs as root, and there is no setpriv"))
  func foldersOfOthersAreRefusedFirst() throws {
    let folder = try folder()
    try FileManager.default.createDirectory(
      atPath: folder.path("locked"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o555])
    for (place, named) in [
      (["-o", "locked/d.png"], "locked/d.png"), (["--output-dir", "locked/maps"], "locked/maps"),
      (["--output-dir", "locked"], "locked/photo_depth.png"),
    ] {
      let outcome = try UnprivilegedUser.run(
        depthTool, ["predict", "photo.png", "--weights", "weights.h5"] + place, in: folder.path)
      #expect(outcome.status == 1)
      #expect(
        outcome.errors
          == "depth: \(named): the folder \(folder.path("locked")) cannot be written to: "
          + "permission denied\n")
    }
  }

  /// Not even the superuser can make files in /proc.
  @Test(
    "an error names the folder that takes no files",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self"), "no /proc"))
  func foldersThatTakeNoFilesAreNamed() throws {
    let folder = try folder()
    for (place, named, start) in [
      (["-o", "/proc/no/d.png"], "/proc/no/d.png", "the folder /proc/no does not exist"),
      (["--output-dir", "/proc/no/a"], "/proc/no/a", "the folder /proc cannot be written to: "),
    ] {
      let (status, line) = try refusal(
        ["predict", "photo.png", "--weights", "weights.h5"] + place, in: folder)
      #expect(status == 1 && line.hasPrefix("\(named): \(start)"), "\(line)")
    }
  }

  @Test("outputs never replace their sources")
  func outputsNeverReplaceWhatTheyAreMadeFrom() throws {
    let folder = try folder()
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: folder.path("symbolic.png"), withDestinationPath: "photo.png")
    try manager.linkItem(atPath: folder.path("photo.png"), toPath: folder.path("hard.png"))
    try manager.linkItem(atPath: folder.path("photo.png"), toPath: folder.path("hard.jpg"))
    try manager.createSymbolicLink(atPath: folder.path("here"), withDestinationPath: ".")
    try manager.moveItem(atPath: folder.path("weights.h5"), toPath: folder.path("weights.npy"))
    let before = try ["photo.png", "depth.pfm", "weights.npy"].map {
      try TemporaryFolder.bytes(of: folder.path($0))
    }
    let predict = ["predict", "photo.png", "--weights", "weights.npy"]
    let stereo = ["stereo", "photo.png", "--depth", "depth.pfm"]
    for arguments in [
      predict + ["-o", "photo.png"], predict + ["-o", "./photo.png"],
      predict + ["-o", "here/here/photo.png"], predict + ["-o", "symbolic.png"],
      predict + ["-o", "hard.png"], predict + ["-o", folder.path("photo.png")],
      predict + ["-o", "d.png", "--view", "photo.png"], predict + ["-o", "weights.npy"],
      predict + ["-o", "d.png", "--depth-photo", "hard.jpg"],
      ["refine", "photo.png", "depth.pfm", "-o", "photo.png"],
      ["refine", "photo.png", "depth.pfm", "-o", "here/depth.pfm"],
      stereo + ["-o", "photo.png"], stereo + ["-o", "hard.png"],
      ["stereo", "photo.png", "--weights", "weights.npy", "-o", "symbolic.png"],
    ] {
      for extra in [[], ["--overwrite"]] {
        let (status, line) = try refusal(arguments + extra, in: folder)
        #expect(status == 1 && line.contains("input"), "\(arguments): \(line)")
      }
    }
    let after = try ["photo.png", "depth.pfm", "weights.npy"].map {
      try TemporaryFolder.bytes(of: folder.path($0))
    }
    #expect(before == after)
  }

  @Test("two photos for one file are wrong usage") func twoPhotosForOneFileAreWrongUsage() throws {
    let folder = try folder()
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: false)
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("same"), withDestinationPath: "a")
    let (status, line) = try refusal(
      ["predict", "a/x.jpg", "b/x.png", "--output-dir", "maps", "--weights", "weights.h5"],
      in: folder)
    #expect(status == 64)
    #expect(line == "two files would be written to maps/x_depth.png (of a/x.jpg and b/x.png)")
    #expect(try refusal(["predict", "a/x.jpg", "same/x.png"], in: folder).status == 64)
    #expect(!FileManager.default.fileExists(atPath: folder.path("maps")))
  }
}

/// Runs programs as a user without special rights.
enum UnprivilegedUser {
  private static let isRoot = getuid() == 0
  private static let setpriv = "/usr/bin/setpriv"

  static var isAvailable: Bool {
    !isRoot || FileManager.default.isExecutableFile(atPath: setpriv)
  }

  static func run(
    _ tool: CommandLineTool, _ arguments: [String], in folder: String
  ) throws -> CommandLineTool.Outcome {
    guard isRoot else { return try tool.run(arguments, in: folder) }
    return try CommandLineTool(at: setpriv).run(
      ["--reuid=65534", "--regid=65534", "--clear-groups", tool.path] + arguments, in: folder)
  }
}
