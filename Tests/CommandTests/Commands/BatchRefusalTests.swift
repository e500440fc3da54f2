import Foundation
import Testing
import _TestSupport

/// Refusals of runs over many photos.
@Suite struct BatchRefusalTests {
  /// A folder is refused even if the folder holds one photo.
  @Test(
    "a single output name for many photos is wrong usage",
    arguments: [
      (
        ["p", "-o", "d.png"],
        "-o takes one photo, expected --output-dir for a folder or a list"
      ),
      (
        ["p", "-o", "d.png", "--recursive"],
        "-o takes one photo, expected --output-dir for 3 photos"
      ),
      (
        ["p", "--view", "v.png"],
        "--view v.png names one file for a folder or a list, expected a folder"
      ),
      (["p", "--depth-photo", "v.jpg"], "--depth-photo takes one photo, found a folder or a list"),
    ])
  func oneNameForManyIsRefused(arguments: [String], message: String) throws {
    let outcome = try BatchTests.run(
      ["predict"] + arguments + BatchTests.base, in: BatchTests.tree())
    #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test(
    "wrong usage of a batch ends with status 64",
    arguments: [
      ["--files-from", "-", "-"], ["p", "-o", "d.png"], ["p", "--view", "v.png"], ["p", "--null"],
      ["p", "--shard", "0/3"], ["p", "--shard", "4/3"], ["p", "--shard", "1"],
      ["p", "--manifest", "-"], ["p", "p/a", "--depth-photo", "d.jpg"], [],
    ])
  func wrongUsageIs64(options: [String]) throws {
    let folder = try BatchTests.tree()
    let outcome = try BatchTests.run(["predict"] + options, in: folder)
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(
      try BatchTests.files(below: "p", of: folder).count == 6 && !outcome.errors.isEmpty)
  }

  @Test("refusals come before any computation")
  func refusalsComeFirst() throws {
    let folder = try BatchTests.tree()
    _ = try folder.write(Array("no weights".utf8), to: "weights.h5")
    try FileManager.default.copyItem(
      atPath: folder.path("p/one.jpg"), toPath: folder.path("p/a/one.jpg"))
    let twins = try BatchTests.run(
      ["predict", "p/one.jpg", "p/a/one.jpg", "--output-dir", "out", "--weights", "weights.h5"]
        + ["--manifest", "m.jsonl"], in: folder)
    #expect(twins.status == 64)
    #expect(
      twins.errors
        == "depth: two files would be written to out/one_depth.png (of p/one.jpg and p/a/one.jpg)\n"
    )
    for (arguments, line) in [
      (
        ["p/out"],
        "p/out: holds no photo, expected files ending in .avif, .heic, .heif, .hif, .jfif, .jpe, .jpeg, .jpg, .mpo, .png, .webp; --recursive"
      ),
      (["--files-from", "no.txt"], "no.txt: no such file or folder"),
    ] {
      let outcome = try BatchTests.run(
        ["predict", "--weights", "weights.h5"] + arguments, in: folder)
      #expect(
        outcome.status == 1 && outcome.errors.hasPrefix("depth: \(line)"), "\(outcome.errors)")
    }
    #expect(try BatchTests.files(below: "p", of: folder).count == 7)
    #expect(!FileManager.default.fileExists(atPath: folder.path("m.jsonl")))
  }

  /// Opening a manifest removes an unfinished last line, which would damage another file.
  @Test("lines are appended only to a manifest") func onlyAManifestIsAppendedTo() throws {
    let folder = try BatchTests.tree()
    let photo = try Array(Data(contentsOf: URL(filePath: folder.path("p/one.jpg"))))
    let run =
      ["predict", "p/one.jpg", "-o", "d.png", "--overwrite"] + BatchTests.base + ["--manifest"]
    let files: [(String, [UInt8], String)] = [
      ("photo.jpg", photo, "a JPEG picture"), ("list.txt", Array("a.jpg\nb.jpg".utf8), "text"),
      ("one.json", Array(#"{"format":"depth-calibration"}"#.utf8), "text"),
      ("line.txt", Array("x".utf8), "text"),
    ]
    for (name, bytes, found) in files {
      _ = try folder.write(bytes, to: name)
      let outcome = try BatchTests.run(run + [name], in: folder)
      #expect(outcome.status == 1)
      #expect(
        outcome.errors.hasPrefix(
          "depth: \(name): is \(found), expected a new file"),
        "\(outcome.errors)")
      #expect(try Array(Data(contentsOf: URL(filePath: folder.path(name)))) == bytes)
      #expect(!FileManager.default.fileExists(atPath: folder.path("d.png")))
    }
    for beginning in ["", #"{"outputs":["a"#, #"{"path":"x.jpg"}"# + "\n{\"pa"] {
      _ = try folder.write(Array(beginning.utf8), to: "m.jsonl")
      #expect(try BatchTests.run(run + ["m.jsonl"], in: folder).status == 0)
      #expect(
        try BatchTests.manifest("m.jsonl", in: folder).last?["path"] as? String == "p/one.jpg")
    }
    let list = try BatchTests.run(["predict", "--files-from", "photo.jpg"], in: folder)
    #expect(list.status == 1)
    #expect(list.errors.hasPrefix("depth: photo.jpg: holds zero bytes, expected a list"))
  }

  @Test("an empty output folder is removed after a failure")
  func anEmptyOutputFolderGoesAgainAfterAFailure() throws {
    let folder = try BatchTests.tree()
    _ = try folder.write(Array("no photo".utf8), to: "text.jpg")
    func leaves(_ arguments: [String]) throws -> Bool {
      let outcome = try BatchTests.run(
        ["predict", "--output-dir", "new/below"] + BatchTests.base + arguments, in: folder)
      #expect(outcome.status == 1, "\(outcome.errors)")
      return FileManager.default.fileExists(atPath: folder.path("new"))
    }
    #expect(try !leaves(["text.jpg"]))
    #expect(try !leaves(["p/one.jpg", "--weights", "missing.h5"]))
    #expect(try leaves(["text.jpg", "p/one.jpg"]))
  }

  @Test(
    "a full disk of the manifest ends a run with status 75",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
  func aFullDiskIsAnError() throws {
    let folder = try BatchTests.tree()
    let command =
      ["predict", "p", "--recursive", "--output-dir", "out", "--quiet"] + BatchTests.base
    let full = try BatchTests.run(
      command + ["--manifest", "/dev/full", "--threads", "1"], in: folder)
    #expect(full.status == 75, "\(full.errors)")
    #expect(full.errors == "depth: /dev/full: no space left on the device\n")
    // The run stopped, since it could not record the second photo.
    #expect(try BatchTests.files(below: "out", of: folder).count == 1)
  }
}
