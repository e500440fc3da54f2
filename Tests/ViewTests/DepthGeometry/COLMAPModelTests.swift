import DepthErrors
import Foundation
import Testing
import _TestSupport

@testable import DepthGeometry

/// COLMAP models, as text and binary, by COLMAP's documentation.
@Suite struct COLMAPModelTests {
  static let texts = [
    "cameras": "# Camera list\n1 PINHOLE 64 48 50 51 32 24.5\n7 SIMPLE_PINHOLE 64 48 60 32 24\n",
    // A turn of 90° to the right about y. The second photo has no points, so its line is empty.
    "images": """
    # Image list
    3 0.7071067811865476 0 0.7071067811865476 0 1 2 3 1 sub/a.jpg
    1.5 2.5 4 10 20 -1 40.25 30 9
    5 1 0 0 0 0 0 -1 7 b.png

    """,
    "points3D": "# 3D points\n4 2 0 1 10 20 255 0.5 3 0\n9 4 1 0 1 2 3 1.25 3 2\n",
  ]

  /// The text model in COLMAP's binary layout.
  static var binaries: [String: [UInt8]] {
    func i(_ value: Int, _ count: Int = 4) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func d(_ values: Double...) -> [UInt8] {
      values.flatMap { value in
        (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
      }
    }
    let half = 0.7071067811865476
    let first: [UInt8] = i(1) + i(1) + i(64, 8) + i(48, 8) + d(50, 51, 32, 24.5)
    let second: [UInt8] = i(7) + i(0) + i(64, 8) + i(48, 8) + d(60, 32, 24)
    let pose: [UInt8] = i(3) + d(half, 0, half, 0, 1, 2, 3) + i(1) + Array("sub/a.jpg".utf8) + [0]
    let places: [UInt8] =
      i(3, 8) + d(1.5, 2.5) + i(4, 8) + d(10, 20) + i(-1, 8) + d(40.25, 30) + i(9, 8)
    let other: [UInt8] = i(5) + d(1, 0, 0, 0, 0, 0, -1) + i(7) + Array("b.png".utf8) + [0] + i(0, 8)
    let four: [UInt8] = i(4, 8) + d(2, 0, 1) + [10, 20, 255] + d(0.5) + i(1, 8) + i(3) + i(0)
    let nine: [UInt8] = i(9, 8) + d(4, 1, 0) + [1, 2, 3] + d(1.25) + i(1, 8) + i(3) + i(2)
    return [
      "cameras": i(2, 8) + first + second, "images": i(2, 8) + pose + places + other,
      "points3D": i(2, 8) + four + nine,
    ]
  }

  private func model(_ files: [String: [UInt8]], _ ending: String) throws -> COLMAPModel {
    let folder = try TemporaryFolder()
    for (name, bytes) in files { try Data(bytes).write(to: folder.url("\(name).\(ending)")) }
    return try COLMAPModel(contentsOf: folder.url(""))
  }

  @Test("text and binary COLMAP files give equal models") func textAndBinaryAreOneModel() throws {
    let model = try model(Self.texts.mapValues { Array($0.utf8) }, "txt")
    #expect(try self.model(Self.binaries, "bin") == model)
    #expect(
      model.cameras[1] == .init(id: 1, width: 64, height: 48, fx: 50, fy: 51, cx: 32, cy: 24.5))
    #expect(model.cameras[7] == .init(id: 7, width: 64, height: 48, fx: 60, fy: 60, cx: 32, cy: 24))
    #expect(model.photos.map(\.name) == ["sub/a.jpg", "b.png"])
    #expect(model.photos[0].places[1] == .init(x: 10, y: 20, point: -1))
    #expect(model.photos[1].places.isEmpty && model.points[9]?.color == SIMD3(1, 2, 3))
    // A quarter turn about y takes x to -z, so the depth is 3 - x.
    #expect(abs(model.photos[0].depth(of: try #require(model.points[4])) - 1) < 1e-9)
    #expect(model.photos[1].depth(of: try #require(model.points[4])) == 0)
  }

  /// The matrix is the inverse of COLMAP's pose, with y and z negated.
  @Test("a COLMAP pose becomes OpenGL's camera-to-world matrix") func posesBecomeMatrices() throws {
    let model = try model(Self.texts.mapValues { Array($0.utf8) }, "txt")
    let matrix = model.photos[0].cameraToWorld
    // R = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], and the center is -Rᵀ t = (3, -2, -1).
    let expected = [[0, 0, 1, 3], [0, -1, 0, -2], [1, 0, 0, -1], [0, 0, 0, 1]].map {
      $0.map(Double.init)
    }
    for (found, wanted) in zip(matrix.joined(), expected.joined()) {
      #expect(abs(found - wanted) < 1e-9, "\(matrix)")
    }
    #expect(
      COLMAPModel.Photo(id: 1, name: "a", camera: 1).cameraToWorld
        == [[1, 0, 0, 0], [0, -1, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1]])
  }

  @Test("a written COLMAP model is read back without unseen points")
  func writtenTextsAreReadAgain() throws {
    var model = try model(Self.binaries, "bin")
    let names = ["cameras", "images", "points3D"]
    func written(_ model: COLMAPModel) throws -> COLMAPModel {
      try self.model(
        Dictionary(uniqueKeysWithValues: zip(names, model.texts.map { Array($0.utf8) })), "txt")
    }
    #expect(try written(model) == model)
    #expect(model.texts[2].contains("\n4 2.0 0.0 1.0 10 20 255 0.5 3 0\n"))
    model.photos.removeFirst()
    let part = try written(model)
    #expect(part.points.isEmpty && Array(part.cameras.keys) == [7])
    model.points = [:]
    #expect(try written(model).photos == model.photos)
  }

  @Test("a truncated COLMAP file is damaged") func everyTruncationIsAnError() throws {
    for name in ["cameras", "images", "points3D"] {
      let whole = try #require(Self.binaries[name])
      for count in 0..<whole.count {
        var files = Self.binaries
        files[name] = Array(whole.prefix(count))
        let error = #expect(throws: DepthError.self) { try model(files, "bin") }
        #expect(error?.code == .damaged && error?.file?.hasSuffix("\(name).bin") == true)
      }
    }
  }

  @Test("a COLMAP file with an impossible number is damaged")
  func numbersThatCannotBeAreRefused() throws {
    func refused(_ name: String, _ text: String) throws -> DepthError? {
      var files = Self.texts.mapValues { Array($0.utf8) }
      files[name] = Array(text.utf8)
      return #expect(throws: DepthError.self) { try model(files, "txt") }
    }
    let distorted = try refused("cameras", "1 OPENCV 64 48 50 50 32 24 0 0 0 0\n")
    #expect(distorted?.code == .unsupportedFormat)
    #expect(distorted?.message.contains("'colmap image_undistorter'") == true)
    for text in [
      "1 PINHOLE 64 48 nan 50 32 24\n", "1 PINHOLE 0 48 50 50 32 24\n", "1 PINHOLE 64\n",
      "1 PINHOLE 64 48 -50 50 32 24\n", "x PINHOLE 64 48 50 50 32 24\n",
      "1 PINHOLE 64 48 50 50 32 24\n1 PINHOLE 64 48 50 50 32 24\n",
    ] { #expect(try refused("cameras", text)?.code == .damaged, "\(text)") }
    #expect(try refused("images", "3 0 0 0 0 1 2 3 1 a.jpg\n\n")?.code == .damaged)
    #expect(try refused("images", "3 1 0 0 0 1 2 3 2 a.jpg\n\n")?.code == .damaged)
    #expect(try refused("points3D", "4 2 0 1 10 20 256 0.5\n")?.code == .damaged)
    for (name, text, reason) in [
      ("cameras", "1 PINHOLE 0 48 50 50 32 24\n", "camera 1 is 0×48, expected sides of 1 to"),
      ("cameras", "1 PINHOLE 64 48 abc 50 32 24\n", "'abc' is not a finite number"),
      ("cameras", "1 PINHOLE 64 48 50 -3 32 24\n", "has the focal length -3.0, expected"),
      (
        "images", "3 1 0 0 0 1 2 3 1 a.jpg\n\n3 1 0 0 0 1 2 3 1 b.jpg\n\n", "photo 3 appears twice"
      ),
      ("images", "3 1e200 0 0 0 1 2 3 1 a.jpg\n\n", "photo 3 has no rotation"),
      ("images", "3 1 0 0 0 1 2 3 2 a.jpg\n\n", "photo 3 has the camera 2, expected"),
      ("points3D", "4 2 0 1 1 2 3 0.5\n4 2 0 1 1 2 3 0.5\n", "point 4 appears twice"),
    ] {
      let error = try refused(name, text)
      #expect(error?.code == .damaged && error?.message.contains(reason) == true, "\(text)")
    }
    // The count exceeds the file's bytes.
    var files = Self.binaries
    files["cameras"] = [UInt8](repeating: 0xFF, count: 16)
    #expect(throws: DepthError.self) { try model(files, "bin") }
    let empty = #expect(throws: DepthError.self) { try model([:], "bin") }
    #expect(empty?.code == .unreadable && empty?.message.contains("no COLMAP model") == true)
  }
}
