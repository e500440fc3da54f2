import DepthImages
import Foundation
import MonocularDepth
import PictureFiles
import Testing
import _TestSupport

@testable import DepthCommands

/// Folders, lists and records of many photos.
@Suite struct BatchTests {
  static let base = ["--refine", "none"]

  /// A tree with three photos and other files.
  static func tree() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["p/a/b", "p/.hidden", "p/out"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    for (index, name) in [
      "one.jpg", "a/two.png", "a/b/three.JPEG", ".hidden/four.jpg", ".five.jpg",
    ]
    .enumerated() {
      let image = Image(
        height: 48, width: 64, pixels: (0..<9216).map { UInt8(($0 * (index + 3)) >> 4 & 255) })
      let bytes = try image.encoded(as: name.hasSuffix("png") ? .png : .jpeg())
      _ = try folder.write(bytes, to: "p/\(name)")
    }
    _ = try folder.write(Array("notes".utf8), to: "p/notes.txt")
    // Circular links to folders.
    for link in ["p/a/up", "p/a/b/top"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(link), withDestinationPath: "..")
    }
    return folder
  }

  static let outputs = ["a/b/three_depth.png", "a/two_depth.png", "one_depth.png"]

  static func run(_ arguments: [String], in folder: TemporaryFolder, input: String = "") throws
    -> CommandLineTool.Outcome
  {
    try runDepth(arguments, input: Array(input.utf8), in: folder)
  }

  static func objects(_ text: some StringProtocol) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  static func manifest(_ name: String, in folder: TemporaryFolder) throws -> [[String: Any]] {
    let text = String(decoding: try TemporaryFolder.bytes(of: folder.path(name)), as: UTF8.self)
    return try objects(text.replacing(folder.path + "/", with: ""))
  }

  static func files(below name: String, of folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path(name))
      .filter { path in
        var isFolder: ObjCBool = false
        let full = folder.path(name) + "/" + path
        return FileManager.default.fileExists(atPath: full, isDirectory: &isFolder)
          && !isFolder.boolValue
      }.sorted()
  }

  @Test("outputs mirror the tree of photos") func outputsMirrorTheTree() throws {
    let folder = try Self.tree()
    let command = ["predict", "p", "--recursive", "--output-dir", "p/out", "--view", "v/"]
    let outcome = try Self.run(command + Self.base + ["--json"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errorLines.last?.hasPrefix("depth: 3 of 3 photos done, ") == true)
    #expect(try Self.files(below: "p/out", of: folder) == Self.outputs)
    #expect(
      try Self.files(below: "v", of: folder)
        == Self.outputs.map { $0.replacing("_depth", with: "_view") })
    // Lines are in the photos' order, not in the order of completion.
    #expect(
      try Self.objects(outcome.text).map { $0["input"] as? String }
        == ["p/one.jpg", "p/a/two.png", "p/a/b/three.JPEG"])
    // Outputs in the input tree are no inputs of the next run.
    try FileManager.default.copyItem(
      atPath: folder.path("p/one.jpg"), toPath: folder.path("p/out/six.jpg"))
    let again = try Self.run(command + Self.base + ["--overwrite"], in: folder)
    #expect(
      again.errorLines.last?.hasPrefix("depth: 3 of 3 photos done, ") == true, "\(again.errors)")
    #expect(try Self.run(["predict", "p"] + Self.base, in: folder).status == 0)
    let beside = try Self.run(["predict", "p", "--overwrite"] + Self.base, in: folder)
    #expect(
      beside.errorLines.last?.hasPrefix("depth: 1 of 1 photos done, ") == true, "\(beside.errors)")
    #expect(beside.errors.hasSuffix(", the last file is p/one_depth.png\n"), "\(beside.errors)")
  }

  @Test("maps do not depend on simultaneous photos") func severalAtOnceGiveEqualBits() throws {
    let folder = try Self.tree()
    var outputs: [[[UInt8]]] = []
    for threads in ["1", "2", "5"] {
      let outcome = try Self.run(
        ["predict", "p", "--recursive", "--output-dir", threads, "--threads", threads], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      outputs.append(
        try Self.outputs.map { try TemporaryFolder.bytes(of: folder.path("\(threads)/\($0)")) })
    }
    #expect(outputs[0] == outputs[1] && outputs[0] == outputs[2])
    let single = try Self.run(
      ["predict", "p/one.jpg", "-o", "one.png"], in: folder)
    #expect(single.status == 0)
    #expect(try TemporaryFolder.bytes(of: folder.path("one.png")) == outputs[0][2])
  }

  @Test("a run retries the failed photos of a manifest")
  func aManifestNamesEveryPhotoAndFeedsTheNextRun() throws {
    let folder = try Self.tree()
    _ = try folder.write([1, 2, 3], to: "p/a/bad.jpg")
    let command = ["predict", "p", "--recursive", "--output-dir", "out", "--manifest", "m.jsonl"]
    let outcome = try Self.run(command + Self.base + ["--quiet"], in: folder)
    #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
    let lines = try Self.manifest("m.jsonl", in: folder)
    #expect(
      lines.map { $0["path"] as? String }
        == ["p/one.jpg", "p/a/bad.jpg", "p/a/two.png", "p/a/b/three.JPEG"])
    #expect(lines[0]["outputs"] as? [String] == ["out/one_depth.png"])
    #expect(lines[0]["near_m"] is Double && lines[0]["far_m"] is Double)
    #expect(lines.allSatisfy { $0["milliseconds"] is Double })
    #expect((lines[1]["error"] as? String)?.hasPrefix("p/a/bad.jpg: ") == true)
    #expect(lines[1]["retry"] as? Bool == false)
    // A valid photo replaces the bad photo, and the map has the original path.
    try FileManager.default.removeItem(atPath: folder.path("p/a/bad.jpg"))
    try FileManager.default.copyItem(
      atPath: folder.path("p/one.jpg"), toPath: folder.path("p/a/bad.jpg"))
    let mending = ["predict", "--files-from", "m.jsonl", "--manifest", "m.jsonl"]
    let second = try Self.run(mending + ["--output-dir", "out"] + Self.base, in: folder)
    #expect(second.status == 0, "\(second.errors)")
    #expect(
      try Self.files(below: "out", of: folder) == (Self.outputs + ["a/bad_depth.png"]).sorted())
    // Nothing is left to do.
    let third = try Self.run(mending + ["--output-dir", "out"] + Self.base, in: folder)
    #expect(
      third.status == 0 && third.errorLines.last?.hasPrefix("depth: 0 of 0 photos done") == true)
  }

  /// Photos are skipped by the age of outputs. Older outputs are replaced without `--overwrite`.
  @Test("photos with newer outputs are skipped", arguments: ["png", "pfm"])
  func upToDatePhotosAreSkipped(format: String) async {
    await #expect(processExitsWith: .success) { [format = format as String] in
      let folder = try Self.tree()
      let weights = folder.path("mine.h5")
      try FileManager.default.copyItem(
        at: WeightsSelection(named: ["default"]).files[0], to: URL(filePath: weights))
      let command =
        [
          "predict", "p", "--recursive", "--output-dir", "out", "--skip-existing", "--refine",
          "none",
        ]
        + ["--format", format]
      func files() throws -> [[UInt8]] {
        try Self.files(below: "out", of: folder)
          .map { try TemporaryFolder.bytes(of: folder.path("out/\($0)")) }
      }
      #expect(try Self.run(command, in: folder).status == 0)
      let first = try files()
      // Options are not compared, and the package's weights have no age.
      let again = try Self.run(
        command + ["--fov", "50", "--json"], in: folder)
      #expect(
        again.errorLines.last?.hasPrefix("depth: 0 of 3 photos done, 3 skipped, ") == true,
        "\(again.errors)")
      #expect(
        again.errors.hasSuffix(
          "; files are skipped by their modification times, options are not compared\n"))
      #expect(try Self.objects(again.text).allSatisfy { $0["skipped"] as? Bool == true })
      #expect(try files() == first)
      // One photo has changed, and one output is missing.
      _ = try folder.write(TemporaryFolder.bytes(of: livingRoom), to: "p/one.jpg")
      #expect(try TemporaryFolder.remove(folder.path("out/a/two_depth.\(format)")))
      let changed = try Self.run(command, in: folder)
      #expect(
        changed.errorLines.last?.hasPrefix("depth: 2 of 3 photos done, 1 skipped, ") == true,
        "\(changed.errors)")
      let second = try files()
      #expect(second[0...1] == first[0...1] && second[2] != first[2])
      // Weights that are named as a file count as input.
      let older = try Self.run(command + ["--weights", "mine.h5"], in: folder)
      #expect(
        older.errorLines.last?.hasPrefix("depth: 0 of 3 photos done, 3 skipped, ") == true,
        "\(older.errors)")
      func changeWeights() throws {
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: weights)
      }
      try changeWeights()
      let newer = try Self.run(command + ["--weights", "mine.h5", "--overwrite"], in: folder)
      #expect(
        newer.errorLines.last?.hasPrefix("depth: 3 of 3 photos done, ") == true, "\(newer.errors)")
      try changeWeights()
      let environment = try runDepth(
        command, environment: ["DEPTH_WEIGHTS": folder.path("mine.h5")], in: folder)
      #expect(
        environment.errorLines.last?.hasPrefix("depth: 3 of 3 photos done, ") == true,
        "\(environment.errors)")
    }
  }

  @Test("standard streams are never skipped") func standardStreamsAreNeverSkipped() throws {
    let folder = try Self.tree()
    let photo = try TemporaryFolder.bytes(of: folder.path("p/one.jpg"))
    for _ in 0..<2 {
      let outcome = try runDepth(
        ["predict", "-", "--output-dir", "out", "--skip-existing", "--json"] + Self.base,
        input: photo, in: folder)
      #expect(outcome.status == 0 && !outcome.text.contains("skipped"), "\(outcome.errors)")
      let piped = try runDepth(
        ["predict", "p/one.jpg", "-o", "-", "--view", "v.png", "--skip-existing"] + Self.base,
        in: folder)
      #expect(piped.status == 0 && !piped.output.isEmpty, "\(piped.errors)")
    }
  }

  @Test("pictures of this program are no photos of the next run")
  func picturesOfThisProgramAreNoPhotos() throws {
    let folder = try Self.tree()
    for command in [
      ["stereo", "--format", "sbs"], ["stereo", "--format", "wiggle"], ["effect", "haze"],
      ["effect", "mask", "--focus", "nearest"], ["export", "--format", "obj", "--fov", "60"],
      ["predict", "--view", "p", "--confidence", "p"],
    ] {
      let outcome = try Self.run(
        command + ["p/a/two.png", "--output-dir", "p", "--skip-existing"],
        in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try Self.files(below: "p", of: folder).count { $0.hasPrefix("two_") } >= 9)
    let outcome = try Self.run(["predict", "p", "--output-dir", "new"] + Self.base, in: folder)
    #expect(
      outcome.errorLines.last?.hasPrefix("depth: 1 of 1 photos done, ") == true, "\(outcome.errors)"
    )
  }

  @Test("a missing map in a folder fails only its photo")
  func refineAndStereoTakeFoldersOfMaps() throws {
    let folder = try Self.tree()
    #expect(
      try Self.run(["predict", "p", "--recursive", "--output-dir", "maps"] + Self.base, in: folder)
        .status == 0)
    #expect(try TemporaryFolder.remove(folder.path("maps/one_depth.png")))
    for (command, endings) in [
      (
        ["refine", "p", "maps", "--output-dir", "new"], ["a/b/three_depth.png", "a/two_depth.png"]
      ),
      (
        ["stereo", "p", "--depth", "maps", "--output-dir", "new", "--format", "gif"],
        ["a/b/three_wiggle.gif", "a/two_wiggle.gif"]
      ),
      (
        ["stereo", "p", "--depth", "maps", "--output-dir", "new", "--format", "mpo"],
        ["a/b/three.mpo", "a/two.mpo"]
      ),
      (
        ["stereo", "p", "--depth", "maps", "--output-dir", "new", "--format", "quilt"],
        ["a/b/three_qs8x6a1.33.jpg", "a/two_qs8x6a1.33.jpg"]
      ),
    ] {
      let outcome = try Self.run(command + ["--recursive", "--skip-existing"], in: folder)
      #expect(outcome.status == 1)
      // Photos are processed in parallel, so notes come in any order.
      #expect(
        outcome.errorLines.contains(
          "depth: p/one.jpg: has no depth file, expected maps/one_depth.png, .pfm, .npy or .npz"))
      #expect(outcome.errorLines.last?.hasPrefix("depth: 2 of 3 photos done, 1 failed, ") == true)
      #expect(try Self.files(below: "new", of: folder) == endings)
      let again = try Self.run(command + ["--recursive", "--skip-existing"], in: folder)
      #expect(
        again.errorLines.last?.hasPrefix("depth: 0 of 3 photos done, 2 skipped, 1 failed, ")
          == true,
        "\(again.errors)")
      try FileManager.default.removeItem(atPath: folder.path("new"))
    }
  }

  @Test("lists may hold any file name") func listsHoldAnyName() async {
    await #expect(processExitsWith: .success) {
      let folder = try Self.tree()
      #expect(FileManager.default.changeCurrentDirectoryPath(folder.path))
      let strange = "p/a/line\nfeed.png"
      try FileManager.default.copyItem(
        atPath: folder.path("p/a/two.png"), toPath: folder.path(strange))
      func made(_ options: [String], of list: String) throws -> CommandLineTool.Outcome {
        try runDepth(
          ["predict", "--files-from", "-"] + options + Self.base, input: Array(list.utf8))
      }
      let plain = try made(
        ["--output-dir", "out"],
        of: "p/one.jpg\n./p/a/../a/two.png\np/one.jpg\nmissing.jpg\nmissing.jpg\n")
      #expect(plain.status == 1)
      #expect(plain.errorLines.first == "depth: missing.jpg: no such file or folder")
      #expect(plain.errorLines.count { $0.contains("missing.jpg: ") } == 1, "\(plain.errors)")
      #expect(
        try Self.files(below: "out", of: folder) == ["p/a/two_depth.png", "p/one_depth.png"])
      let null = try made(["-0", "--output-dir", "null"], of: strange + "\0p/one.jpg\0")
      #expect(null.status == 0, "\(null.errors)")
      #expect(
        try Self.files(below: "null", of: folder) == [
          "p/a/line\nfeed_depth.png", "p/one_depth.png",
        ])
    }
  }

  @Test("shards divide the photos without overlap") func shardsDivideThePhotos() throws {
    let folder = try Self.tree()
    var made: [String] = []
    for shard in ["1/3", "2/3", "3/3"] {
      let outcome = try Self.run(
        ["predict", "p", "--recursive", "--output-dir", "out", "--shard", shard, "--json"]
          + Self.base, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      made += try Self.objects(outcome.text).compactMap { $0["input"] as? String }
    }
    #expect(made.sorted() == ["p/a/b/three.JPEG", "p/a/two.png", "p/one.jpg"])
    #expect(try Self.files(below: "out", of: folder) == Self.outputs)
  }

  @Test("shards divide failures without repetition") func shardsDivideTheFailures() throws {
    let folder = try TemporaryFolder()
    let addresses = (0..<6).map { "https://example.org/\($0).jpg" }
    var reported: [String] = []
    for index in 1...3 {
      let outcome = try runDepth(
        ["predict"] + addresses
          + ["--output-dir", folder.path("out"), "--shard", "\(index)/3", "--json", "--quiet"])
      let found = try Self.objects(outcome.text).compactMap { $0["input"] as? String }
      let shard = try #require(Shard(word: "\(index)/3"))
      #expect(found == addresses.filter(shard.contains), "\(outcome.errors)")
      reported += found
    }
    #expect(reported.sorted() == addresses)
  }
}
