import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// `depth export` from the command line.
@Suite struct ExportTests {
  /// A photo and its depth: a box 1.5 m away before a wall 4 m away.
  private func scene(in folder: TemporaryFolder, _ name: String = "photo") throws -> (
    photo: String, depth: String
  ) {
    let (photo, depth) = (folder.path("\(name).png"), folder.path("\(name).pfm"))
    try MadeUpPictures.photo(height: 48, width: 64).write(to: URL(filePath: photo))
    try DepthMap(
      height: 48, width: 64, unit: .metres,
      values: (0..<48 * 64).map { (16..<32).contains($0 / 64) && $0 % 64 < 20 ? 1.5 : 4 }
    ).write(to: URL(filePath: depth))
    return (photo, depth)
  }

  private struct Record: Decodable {
    let input, kind, focalLengthSource: String
    let outputs: [String]
    let vertices, faces: Int
    let focalLengthPx: Double
    let nearM, farM: Float
  }

  private func record(_ output: [UInt8]) throws -> Record {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Record.self, from: Data(output))
  }

  @Test(
    "every format is exported with its camera",
    arguments: [
      ("room.glb", "mesh", ["room.glb", "room_camera.json"]),
      ("room.ply", "cloud", ["room.ply", "room_camera.json"]),
      ("room.obj", "mesh", ["room.mtl", "room.obj", "room_camera.json", "room_texture.jpg"]),
    ])
  func everyFormatIsWrittenWithItsCamera(name: String, kind: String, files: [String]) throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let out = try TemporaryFolder()
    let outcome = try runDepth([
      "export", photo, "--depth", depth, "--depth-scale", "1", "--fov", "90", "-o", out.path(name),
      "--json",
    ])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let found = try FileManager.default.contentsOfDirectory(atPath: out.path).sorted()
    #expect(found == files)
    let record = try record(outcome.output)
    #expect(record.outputs.sorted() == files.map { out.path($0) }.sorted())
    #expect(record.kind == kind && record.focalLengthSource == "option")
    #expect((record.focalLengthPx, record.nearM, record.farM) == (32, 1.5, 4))
    #expect(kind == "cloud" ? record.faces == 0 && record.vertices == 48 * 64 : record.faces > 20)
    let camera =
      try JSONSerialization.jsonObject(
        with: Data(try TemporaryFolder.bytes(of: out.path("room_camera.json")))) as? [String: Any]
    #expect(camera?["fx"] as? Double == camera?["fy"] as? Double)
    #expect(abs((camera?["fx"] as? Double ?? 0) - 32) < 1e-9 && camera?["cx"] as? Double == 32)
    #expect(camera?["cy"] as? Double == 24 && camera?["width"] as? Int == 64)
    #expect(camera?["focal_length_source"] as? String == "option")
  }

  @Test("a photo with blanks in its name keeps its texture")
  func aPhotoWithBlanksInItsNameKeepsItsTexture() throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder, "my room é (1)")
    let out = try TemporaryFolder()
    let arguments = [
      "export", photo, "--depth", depth, "--format", "obj", "--output-dir", out.path,
    ]
    #expect(try runDepth(arguments + ["--skip-existing"]).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: out.path).sorted()
    #expect(
      names
        == [
          "my room é (1).obj", "my room é (1)_camera.json", "my_room_é_(1).mtl",
          "my_room_é_(1)_texture.jpg",
        ].sorted())
    let text = { (name: String) in
      String(decoding: try TemporaryFolder.bytes(of: out.path(name)), as: UTF8.self)
    }
    #expect(try text("my room é (1).obj").contains("\nmtllib my_room_é_(1).mtl\n"))
    #expect(try text("my_room_é_(1).mtl").contains("\nmap_Kd my_room_é_(1)_texture.jpg\n"))
    // A second run finds all files.
    #expect(try runDepth(arguments).status == 1)
    #expect(try runDepth(arguments + ["--skip-existing"]).status == 0)
    let other = try scene(in: folder, "my_room_é_(1)").photo
    let both = try runDepth([
      "export", photo, other, "--depth", folder.path, "--format", "obj", "--output-dir", out.path,
      "--overwrite",
    ])
    #expect(both.status != 0 && both.errors.contains("my_room_é_(1).mtl"), "\(both.errors)")
  }

  @Test("a second format keeps the camera file") func aSecondFormatFindsItsCamera() throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let out = try TemporaryFolder()
    func export(_ name: String, _ options: [String] = []) throws -> CommandLineTool.Outcome {
      try runDepth(
        ["export", photo, "--depth", depth, "--depth-scale", "1", "-o", name, "--quiet"] + options,
        in: out)
    }
    #expect(try export("room.glb", ["--fov", "90"]).status == 0)
    let camera = try TemporaryFolder.bytes(of: out.path("room_camera.json"))
    let second = try export("room.ply", ["--fov", "90"])
    #expect(second.status == 0, "\(second.errors)")
    #expect(try TemporaryFolder.bytes(of: out.path("room_camera.json")) == camera)
    let other = try export("room.obj", ["--fov", "60"])
    #expect(other.status == 1)
    #expect(
      other.errors
        == "depth: room_camera.json: exists already, with other content; --overwrite replaces it\n"
    )
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: out.path).sorted()
        == ["room.glb", "room.ply", "room_camera.json"])
    #expect(try TemporaryFolder.bytes(of: out.path("room_camera.json")) == camera)
    #expect(try export("room.glb", ["--fov", "90"]).status == 1)
    #expect(try export("room.obj", ["--fov", "60", "--overwrite"]).status == 0)
    // Either format may write the camera file. Both formats are then up to date.
    let resumed = ["--fov", "90", "--skip-existing", "--json"]
    try FileManager.default.removeItem(atPath: out.path("room_camera.json"))
    for name in ["a.glb", "a.obj"] { #expect(try export(name, resumed).status == 0) }
    for name in ["a.obj", "a.glb"] {
      #expect(try export(name, resumed).text.contains(#""skipped":true"#), "\(name)")
    }
    try FileManager.default.removeItem(atPath: out.path("a_camera.json"))
    #expect(try export("a.ply", ["--fov", "60"]).status == 0)
    try FileManager.default.removeItem(atPath: out.path("a.mtl"))
    let mixed = try export("a.obj", resumed)
    #expect(mixed.status == 1 && mixed.errors.contains("with other content"), "\(mixed.errors)")
  }

  @Test("a page holds photo and depth") func aPageHoldsPhotoAndDepth() throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let out = try TemporaryFolder()
    let outcome = try runDepth([
      "export", photo, "--depth", depth, "--depth-scale", "1", "--fov", "90", "-o",
      out.path("room.html"), "--json",
    ])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: out.path) == ["room.html"])
    #expect(outcome.text.contains(#""kind":"page""#) && !outcome.text.contains("vertices"))
    let page = String(decoding: try TemporaryFolder.bytes(of: out.path("room.html")), as: UTF8.self)
    // The focal length is 32 pixels for a width of 64. The map is the given map.
    #expect(
      page.contains(#""width":64,"height":48"#) && page.contains(#""focal_length_share":0.5"#))
    let start = try #require(page.range(of: #""depth":""#)).upperBound
    let end = try #require(page[start...].firstIndex(of: "\""))
    let map = out.path("map.png")
    try #require(Data(base64Encoded: String(page[start..<end]))).write(to: URL(filePath: map))
    let found = try DepthMap(contentsOf: URL(filePath: map))
    #expect(try found == DepthMap(contentsOf: URL(filePath: depth)))
    for options in [["--kind", "mesh"], ["--lossless"]] {
      let refused = try runDepth(
        ["export", photo, "-o", out.path("b.html")] + options)
      #expect(refused.status == 64, "\(refused.errors)")
    }
  }

  @Test("an assumed camera is noted on export") func anAssumedCameraIsNoted() throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let command = ["export", photo, "--depth", depth, "--depth-scale", "1", "--overwrite"]
    let outcome = try runDepth(command)
    #expect(
      outcome.status == 0
        && outcome.errors.contains("assume an angle of view of 63° along its longer side"))
    #expect(FileManager.default.fileExists(atPath: folder.path("photo.glb")))
    #expect(try runDepth(command + ["--quiet"]).errors.isEmpty)
  }

  @Test("exports continue where they stopped") func exportsOfAFolderContinue() throws {
    let (photos, maps, out) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
    for name in ["a", "b"] {
      let (_, depth) = try scene(in: photos, name)
      try FileManager.default.moveItem(atPath: depth, toPath: maps.path("\(name).pfm"))
    }
    let command = [
      "export", photos.path, "--depth", maps.path, "--fov", "70", "--output-dir", out.path,
      "--format", "obj", "--skip-existing", "--quiet", "--json",
    ]
    #expect(try runDepth(command).status == 0)
    #expect(try out.names.count == 8)
    #expect(try TemporaryFolder.remove(out.path("b.mtl")))
    let again = try runDepth(command)
    #expect(again.status == 0, "\(again.errors)")
    let lines = again.text.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("skipped") && !lines[1].contains("skipped"))
    #expect(FileManager.default.fileExists(atPath: out.path("b.mtl")))
    // One depth file has changed.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 2)], ofItemAtPath: maps.path("a.pfm"))
    let changed = try runDepth(command).text.split(separator: "\n")
    #expect(!changed[0].contains("skipped") && changed[1].contains("skipped"))
  }

  @Test("only an export of one file goes to standard output")
  func standardOutputTakesOneFile() throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let command = ["export", photo, "--depth", depth, "--quiet", "-o", "-"]
    let outcome = try depthTool.run(command + ["--format", "ply"])
    #expect(outcome.status == 0 && outcome.output.starts(with: Array("ply\n".utf8)))
    #expect(try runDepth(command + ["--format", "obj"]).status == 64)
    #expect(try runDepth(command + ["--json"]).status == 64)
  }

  @Test("an export estimates missing depth") func depthIsEstimatedWhereNoneIsGiven() throws {
    let folder = try TemporaryFolder()
    let outcome = try runDepth([
      "export", livingRoom, "-o", folder.path("r.glb"), "--quiet", "--json",
    ])
    let record = try record(outcome.output)
    #expect(record.faces > 1000 && record.vertices > 1000 && record.nearM > 0.3)
  }

  @Test(
    "a bad option of export is refused with the reason",
    arguments: [
      (["--fov", "0"], 64, "--fov is 0.0, expected 1 to 179 degrees"),
      (["-o", "room.stl"], 64, "room.stl: ends in .stl, expected .glb, .ply, .obj"),
      (["--kind", "cloud", "--format", "obj"], 64, "expected .ply or .glb"),
      (["--kind", "cloud", "--simplify", "1"], 64, "--simplify requires --kind mesh"),
      (["--simplify=-1"], 64, "0 to 1000 pixels"),
      (["--edge-threshold", "0"], 64, "0.001 to 1"),
      (["--quality", "0"], 64, "1 to 100"),
      (["--focal-length", "exif"], 1, "focal length"),
    ])
  func badOptionsAreOneSentence(options: [String], status: Int32, words: String) throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let outcome = try runDepth(["export", photo, "--depth", depth] + options)
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("photo.glb")))
  }

  @Test("maps without metres or values cannot be exported")
  func mapsWithoutMetresAndEmptyMapsAreOneSentence() throws {
    let folder = try TemporaryFolder()
    let (photo, depth) = try scene(in: folder)
    let map = try DepthMap(contentsOf: URL(filePath: depth))
    let normalized = folder.path("normalized.png")
    try map.normalized().write(to: URL(filePath: normalized))
    let empty = folder.path("empty.pfm")
    try DepthMap(height: 48, width: 64, unit: .metres, values: .init(repeating: 0, count: 3072))
      .write(to: URL(filePath: empty))
    let far = folder.path("far.pfm")
    try DepthMap(height: 48, width: 64, unit: .metres, values: .init(repeating: 1e9, count: 3072))
      .write(to: URL(filePath: far))
    let turned = folder.path("turned.pfm")
    try DepthMap(height: 64, width: 40, unit: .metres, values: .init(repeating: 2, count: 2560))
      .write(to: URL(filePath: turned))
    for (file, words) in [
      (
        turned,
        "turned.pfm: the depth map is 40×64 pixels and the photo 64×48, expected the same proportions"
      ),
      (
        normalized, "photo.png: geometry needs depth in metres or disparity, found a normalized map"
      ),
      (empty, "empty.pfm: no pixel of its depth map has a value"),
      (far, "photo.png: no pixel of the depth map has a value from 0.01 mm to 100 km"),
    ] {
      let outcome = try runDepth(["export", photo, "--depth", file, "--quiet"])
      // An earlier line notes absurd distances.
      let lines = file == far ? 2 : 1
      #expect(outcome.status == 1 && outcome.errorLines.count == lines, "\(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder.path("photo.glb")))
      let page = try runDepth([
        "export", photo, "--depth", file, "--format", "html", "--quiet",
      ])
      #expect(page.status == 1 && page.errorLines.count == lines, "\(page.errors)")
      if file != normalized { #expect(page.errors.contains(words)) }
      #expect(!FileManager.default.fileExists(atPath: folder.path("photo.html")))
    }
  }
}
