import DepthBase
import DepthImages
import Foundation
import MonocularDepth
import PictureFiles
import Testing
import _TestSupport

@testable import DepthCommands
@testable import DepthGeometry

/// `depth export --format nerfstudio` and `--format colmap`.
@Suite struct DatasetTests {
  private let folder: TemporaryFolder
  private let map: DepthMap

  /// Two photos of 64 × 48, one in a subfolder, and their depth.
  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("photos/sub"), withIntermediateDirectories: true)
    let photo = TestPhoto.image(height: 48, width: 64)
    try photo.write(to: folder.url("photos/b c.png"))
    try photo.write(to: folder.url("photos/sub/a.jpg"))
    map = DepthMap(
      height: 48, width: 64, unit: .metres,
      values: (0..<48 * 64).map { (index: Int) -> Float in
        let (y, x) = (Float(index / 64), Float(index % 64))
        return x == 5 ? 0 : 2 + x / 40 + y / 90
      })
    for name in ["b c_depth", "sub/a_depth"] {
      let url = folder.url("maps/\(name).pfm")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try map.write(to: url)
    }
  }

  private func export(_ format: String, _ options: [String] = []) throws -> CommandLineTool.Outcome
  {
    try runDepth(
      [
        "export", "photos", "--recursive", "--depth", "maps", "--format", format, "--output-dir",
        "out",
      ] + options, in: folder)
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.url(name)), as: UTF8.self)
  }

  private func frames() throws -> [[String: Any]] {
    let file = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url("out/transforms.json")))
        as? [String: Any])
    #expect(file["camera_model"] as? String == "PINHOLE")
    return try #require(file["frames"] as? [[String: Any]])
  }

  /// nerfstudio's parser asserts intrinsics of each frame, existing paths, and depth for all frames or none.
  @Test("nerfstudio's parser finds what it asserts") func nerfstudioFindsWhatItNeeds() throws {
    let made = try export("nerfstudio", ["--fov", "60"])
    #expect(made.status == 0, "\(made.errors)")
    let frames = try frames()
    #expect(
      frames.compactMap { $0["file_path"] as? String } == ["images/b_c.png", "images/sub/a.jpg"])
    for frame in frames {
      func number(_ key: String) throws -> Double { try #require(frame[key] as? Double, "\(key)") }
      #expect(
        try number("w") == 64 && number("h") == 48 && number("cx") == 32 && number("cy") == 24)
      #expect(try abs(number("fl_x") - 55.426) < 0.01 && number("fl_y") == number("fl_x"))
      #expect(frame["mask_path"] == nil)
      #expect(
        frame["transform_matrix"] as? [[Double]]
          == [[1, 0, 0, 0], [0, -1, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1]])
      let path = try #require(frame["depth_file_path"] as? String)
      let depth = try DepthMap(contentsOf: folder.url("out/\(path)"))
      for (found, known) in zip(depth.values, map.values) { #expect(abs(found - known) <= 0.00051) }
      #expect(depth.values[5] == 0)
    }
    // Photos are copied unchanged.
    #expect(
      try Data(contentsOf: folder.url("out/images/b_c.png"))
        == Data(contentsOf: folder.url("photos/b c.png")))
  }

  /// The maps follow the rules of COLMAP's `read_write_dense.py`.
  @Test("an export for COLMAP is a dense workspace") func colmapsDenseWorkspace() throws {
    let made = try export("colmap", ["--fov", "60"])
    #expect(made.status == 0, "\(made.errors)")
    let focal = 32 / tan(30 * Double.pi / 180)
    #expect(try text("out/stereo/fusion.cfg") == "b_c.png\nsub/a.jpg\n")
    let model = try COLMAPModel(contentsOf: folder.url("out"))
    #expect(model.photos.map(\.name) == ["b_c.png", "sub/a.jpg"] && model.points.isEmpty)
    for photo in model.photos {
      let camera = try #require(model.cameras[photo.camera])
      #expect(abs(camera.fx - focal) < 1e-9 && (camera.width, camera.height) == (64, 48))
      #expect(photo.rotation == SIMD4(1, 0, 0, 0) && photo.translation == .zero)
      let depth = try DenseMap(folder.url("out/stereo/depth_maps/\(photo.name).geometric.bin"))
      #expect((depth.width, depth.height, depth.channels) == (64, 48, 1))
      let normals = try DenseMap(folder.url("out/stereo/normal_maps/\(photo.name).geometric.bin"))
      #expect((normals.width, normals.height, normals.channels) == (64, 48, 3))
      let expected = try map.normals(camera: Camera(width: 64, height: 48, focalLength: focal))
      for (x, y) in [(0, 0), (5, 7), (63, 2), (10, 47), (40, 20)] {
        #expect(depth[x, y, 0] == map.values[y * 64 + x])
        for axis in 0..<3 {
          #expect(normals[x, y, axis] == expected.values[3 * (y * 64 + x) + axis])
        }
      }
    }
  }

  @Test("an outlier does not change the fit to a model", arguments: ["txt", "bin"])
  func depthIsFittedToAModel(ending: String) throws {
    let model = model { 1 / (2 / $0 + 0.1) }
    try write(model, ending)
    let made = try export("nerfstudio", ["--poses", "model", "--json"])
    #expect(made.status == 0, "\(made.errors)")
    let frames = try frames()
    #expect(frames.count == 2)
    for frame in frames {
      #expect(frame["fl_x"] as? Double == 50)
      #expect(
        frame["transform_matrix"] as? [[Double]]
          == [[1, 0, 0, 1], [0, -1, 0, 2], [0, 0, -1, 3], [0, 0, 0, 1]])
      let depth = try DepthMap(
        contentsOf: folder.url("out/\(try #require(frame["depth_file_path"] as? String))"))
      for (found, known) in zip(depth.values, map.values) where known > 0 {
        #expect(abs(found - 1 / (2 / known + 0.1)) < 0.002)
      }
    }
    let fit = try #require(try BatchTests.objects(made.text)[0]["fit"] as? [String: Any])
    #expect(fit["left_out"] as? Int == 1 && (fit["rms_m"] as? Double ?? 1) < 1e-3)
    let dense = try export("colmap", ["--poses", "model", "--overwrite", "--quiet"])
    #expect(dense.status == 0, "\(dense.errors)")
    let written = try COLMAPModel(contentsOf: folder.url("out"))
    #expect(written.points.count == model.points.count && Set(written.photos.map(\.id)) == [2, 9])
  }

  /// A model with a camera at (1, 2, 3) and points at `depth`.
  ///
  /// - Parameter depth: A point's depth as a function of the map's depth.
  private func model(_ depth: (Double) -> Double) -> COLMAPModel {
    var model = COLMAPModel()
    model.cameras[4] = .init(id: 4, width: 64, height: 48, fx: 50, fy: 50, cx: 32, cy: 24)
    for (id, name) in [(9, "b c.png"), (2, "sub/a.jpg")] {
      var photo = COLMAPModel.Photo(id: id, name: name, camera: 4)
      photo.translation = SIMD3(-1, -2, -3)
      for index in 0..<40 {
        let (x, y) = (index * 13 % 64, index * 7 % 48)
        guard map.values[y * 64 + x] > 0 else { continue }
        let depth = depth(Double(map.values[y * 64 + x]))
        let (u, v): (Double, Double) = (Double(x) + 0.5, Double(y) + 0.5)
        let (right, down): (Double, Double) = ((u - 32) / 50 * depth, (v - 24) / 50 * depth)
        let point = SIMD3<Double>(right + 1, down + 2, depth + 3)
        // One point is wrong.
        model.points[100 * id + index] = .init(
          position: index == 3 ? point + SIMD3(0, 0, 9) : point, color: SIMD3(1, 2, 3), error: 0.5)
        photo.places.append(.init(x: u, y: v, point: 100 * id + index))
      }
      model.photos.append(photo)
    }
    return model
  }

  private func write(_ model: COLMAPModel, _ ending: String) throws {
    let place = folder.url("model")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    if ending == "txt" {
      // A name ends at a blank in COLMAP's text form, but not in the binary form.
      for (name, text) in zip(["cameras", "images", "points3D"], model.texts) {
        try Data(text.utf8).write(to: place.appending(path: "\(name).txt"))
      }
      return
    }
    func i(_ value: Int, _ count: Int = 8) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func d(_ values: [Double]) -> [UInt8] {
      values.flatMap { i(Int(bitPattern: UInt($0.bitPattern))) }
    }
    let camera = try #require(model.cameras[4])
    let photos = model.photos.map { photo -> [UInt8] in
      let pose: [UInt8] = i(photo.id, 4) + d([1, 0, 0, 0, -1, -2, -3]) + i(4, 4)
      let places: [UInt8] = photo.places.flatMap { d([$0.x, $0.y]) + i($0.point) }
      let name: [UInt8] = Array(photo.name.utf8) + [0]
      return pose + name + i(photo.places.count) + places
    }
    let points = model.points.map { id, point -> [UInt8] in
      let place: [UInt8] = i(id) + d([point.position.x, point.position.y, point.position.z])
      return place + [1, 2, 3] + d([point.error]) + i(0)
    }
    let sides: [UInt8] = i(1) + i(4, 4) + i(1, 4) + i(64) + i(48)
    let files: [(String, [UInt8])] = [
      ("cameras", sides + d([camera.fx, camera.fy, 32, 24])),
      ("images", i(photos.count) + photos.flatMap(\.self)),
      ("points3D", i(points.count) + points.flatMap(\.self)),
    ]
    for (name, bytes) in files { try Data(bytes).write(to: place.appending(path: "\(name).bin")) }
  }

  @Test(
    "wrong use of exports for reconstruction is refused",
    arguments: [
      (
        ["--format", "nerfstudio"], 64, "--format nerfstudio writes a folder, expected --output-dir"
      ),
      (
        ["--format", "colmap", "-o", "x"], 64,
        "--format colmap writes a folder, expected --output-dir"
      ),
      (["-o", "x.glb", "--poses", "m"], 64, "--poses requires --format nerfstudio or colmap"),
      (
        ["--format", "colmap", "--output-dir", "o", "--skip-existing"], 64,
        "--skip-existing cannot be combined with --format colmap"
      ),
      (
        ["--format", "colmap", "--output-dir", "o", "--kind", "cloud"], 64,
        "--kind cannot be combined with colmap, which has no geometry"
      ),
      (["--format", "colmap", "--output-dir", "o", "--poses", "none"], 1, "no COLMAP model"),
    ])
  func wrongUsageIsOneSentence(options: [String], status: Int, message: String) throws {
    let refused = try runDepth(
      ["export", "photos/sub/a.jpg", "--depth", "maps/sub/a_depth.pfm"] + options, in: folder)
    #expect(refused.status == status && refused.errors.contains(message), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("o")))
  }

  /// The largest distance in a PNG file is 65.535 m.
  @Test("distances beyond PNG's range are noted") func distancesBeyondPNGAreNoted() throws {
    try write(model { 100 * $0 }, "bin")
    let refused = try export("nerfstudio", ["--poses", "model"])
    #expect(refused.status == 1)
    #expect(refused.errors.contains("PNG: the model's distances reach"), "\(refused.errors)")
    #expect(refused.errors.contains("expected below 65.5; scale the model"))
    let far = DepthMap(
      height: 48, width: 64, unit: .metres, values: map.values.map { 20 * $0 })
    try far.write(to: folder.url("maps/sub/a_depth.pfm"))
    let made = try export("nerfstudio")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.errors.contains("% of the map is beyond 65.535 m, the largest"), "\(made.errors)")
  }

  @Test("a photo does not take the pose of a namesake") func namesakesHaveNoPose() throws {
    for (from, to) in [("photos/sub", "photos/other"), ("maps/sub", "maps/other")] {
      try FileManager.default.copyItem(at: folder.url(from), to: folder.url(to))
    }
    var model = model { $0 }
    try write(model, "bin")
    let made = try export("nerfstudio", ["--poses", "model"])
    #expect(made.status == 1)
    #expect(made.errors.contains("other/a.jpg: has no pose in model, expected"), "\(made.errors)")
    #expect(
      try frames().compactMap { $0["file_path"] as? String }
        == ["images/b_c.png", "images/sub/a.jpg"])
    // Both paths end with this name, but a pose is for one photo only.
    model.photos[1].name = "a.jpg"
    try write(model, "bin")
    let twice = try export("nerfstudio", ["--poses", "model", "--overwrite"])
    #expect(twice.status == 1 && twice.errors.contains("has the pose of "), "\(twice.errors)")
    #expect(try frames().count == 2)
  }

  /// COLMAP ignores the rotation in Exif.
  @Test("a photo with a rotation in Exif gets no pose", arguments: [2, 3, 4] as [UInt8])
  func turnedPhotosHaveNoPose(orientation: UInt8) throws {
    let jpeg = [UInt8](try Data(contentsOf: folder.url("photos/sub/a.jpg")))
    let block: [UInt8] =
      Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 1, 0]
      + [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0] + [0, 0, 0, 0]
    let segment: [UInt8] = [0xFF, 0xE1, 0, UInt8(block.count + 2)] + block
    try Data(jpeg[..<2] + segment + jpeg[2...]).write(to: folder.url("photos/sub/a.jpg"))
    try write(model { $0 }, "bin")
    let made = try export("nerfstudio", ["--poses", "model"])
    #expect(made.status == 1)
    #expect(
      made.errors.contains("a.jpg: is rotated by its Exif orientation, which COLMAP ignored"),
      "\(made.errors)")
    #expect(try frames().compactMap { $0["file_path"] as? String } == ["images/b_c.png"])
  }

  /// The network and the normals assume one focal length and a centered axis.
  @Test(
    "a camera needs square pixels and a centered axis",
    arguments: [(50.6, 32.0, 24.0), (50, 32.7, 24), (50, 32, 23.4)])
  func camerasThatAreNotCenteredAreRefused(fy: Double, cx: Double, cy: Double) throws {
    var model = model { $0 }
    model.photos.removeFirst()
    model.cameras[4] = .init(
      id: 4, width: 64, height: 48, fx: 50, fy: fy, cx: cx, cy: cy)
    try write(model, "txt")
    let made = try export("colmap", ["--poses", "model"])
    #expect(made.status == 1)
    #expect(
      made.errors.contains(
        "its camera in model has the focal lengths 50.0 and \(fy) and the principal point \(cx), \(cy), expected"
      ), "\(made.errors)")
  }

  @Test("the nearer of two points in a pixel is used")
  func ofTwoPointsInAPixelTheNearerCounts() {
    for order in [[4.0, 3, -1], [3, 4, -1], [-1, 4, 3]] {
      var (model, photo) = (COLMAPModel(), COLMAPModel.Photo(id: 1, name: "a.jpg", camera: 4))
      for (id, depth) in order.enumerated() {
        model.points[id] = .init(position: SIMD3(0, 0, depth), color: SIMD3(1, 2, 3), error: 0)
        photo.places.append(.init(x: 2.5, y: 1.9, point: id))
      }
      photo.places.append(.init(x: 4, y: 1, point: 0))
      let map = model.depth(of: photo, height: 3, width: 4)
      #expect(map.values.indices.filter { map.values[$0] != 0 } == [6] && map.values[6] == 3)
    }
  }

  @Test("photos without a matching pose in the model fail")
  func photosThatTheModelLacksFailAlone() throws {
    var model = COLMAPModel()
    model.cameras[4] = .init(id: 4, width: 60, height: 48, fx: 50, fy: 50, cx: 32, cy: 24)
    model.photos = [.init(id: 1, name: "a.jpg", camera: 4)]
    try write(model, "txt")
    let made = try export("nerfstudio", ["--poses", "model"])
    #expect(made.status == 1)
    #expect(made.errors.contains("b c.png: has no pose in model, expected"), "\(made.errors)")
    #expect(made.errors.contains("a.jpg: is 64×48 and its camera in model 60×48"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("out/transforms.json")))
    // Existing files stay.
    let first = try export("nerfstudio")
    #expect(first.status == 0)
    let again = try export("nerfstudio")
    #expect(again.status != 0 && again.errors.contains("exists already"))
  }
}

/// A `.bin` map as in COLMAP's `read_write_dense.py`: three numbers and ampersands, then floats in Fortran order.
private struct DenseMap {
  let width, height, channels: Int
  private let values: [Float]

  init(_ url: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: url))
    var (numbers, place) = ([Int](), 0)
    while numbers.count < 3 {
      let end = try #require(bytes[place...].firstIndex(of: UInt8(ascii: "&")))
      numbers.append(try #require(Int(String(decoding: bytes[place..<end], as: UTF8.self))))
      place = end + 1
    }
    (width, height, channels) = (numbers[0], numbers[1], numbers[2])
    values = stride(from: place, to: bytes.count, by: 4).map { at in
      Float(bitPattern: (0..<4).reversed().reduce(0) { $0 << 8 | UInt32(bytes[at + $1]) })
    }
    #expect(values.count == width * height * channels)
  }

  subscript(x: Int, y: Int, channel: Int) -> Float { values[x + width * (y + height * channel)] }
}
