import DepthErrors
import SystemEssentials
import Testing
import _TestSupport

@testable import SceneRendering

@Suite struct TriangleMeshReadingTests {
  static func mesh(_ text: String) throws -> TriangleMesh {
    let folder = try TemporaryFolder()
    try ThingFolder.write(text, to: "mesh.obj", in: folder)
    return try TriangleMesh(contentsOf: folder.url("mesh.obj"))
  }

  @Test("an OBJ's corners, uv and faces are read") func readsCornersPlacesAndFaces() throws {
    let mesh = try Self.mesh(
      """
      # a comment\r
      v 1 2 3\r
      v 5 2 3
      v 1\t4 3.5 0.5 0.5 0.5
      vt 0 0
      vt 0.5 0 0
      vt 0 .25
      vn 0 0 1
      o part
      f 1/1 2/2/1 3/3
      f -3 -2//1 -1

      """)
    #expect(mesh.triangles.count == 2)
    #expect(mesh.half == [2, 1, 0.25] && mesh.center == [3, 3, -3.25])
    #expect(mesh.triangles[0].corner == [-1, -1, 1])
    #expect(mesh.triangles[0].edge1 == [2, 0, 0] && mesh.triangles[0].edge2 == [0, 2, -2])
    #expect(mesh.triangles[1].edge2 == mesh.triangles[0].edge2)
    #expect(
      mesh.shading[0].coordinates.1 == [0.5, 0] && mesh.shading[0].coordinates.2 == [0, 0.25])
    // Twice the area is 4 · √4.25 m² in space and 1/8 in the texture.
    #expect(abs(mesh.shading[0].pictureSize - Float(32 * 4.25.squareRoot()).squareRoot()) < 1e-4)
    #expect(mesh.shading[1].pictureSize == 0)
  }

  @Test("a label is readable from its front side") func aLabelCanBeReadFromItsOwnSide() throws {
    // In the file, the label faces +z, so x goes right for its reader. A board is behind the label.
    let mesh = try Self.mesh(
      """
      v -1 0 1
      v 1 0 1
      v 0 2 1
      v -1 0 -1
      v 1 0 -1
      v 0 2 -1
      vt 0 0
      vt 1 0
      vt 0.5 1
      f 1/1 2/2 3/3
      f 4 5 6
      """)
    let shape = Shape(.mesh, center: [0, 1, 3], half: mesh.half, mesh: 0)
    let gray = ExactDepthTests.gray
    let scene = Scene(
      size: [8, 3, 9],
      surroundings: .init(floor: gray, ceiling: gray, walls: [gray, gray, gray, gray]),
      solids: [Solid(shape, gray)], lights: [], viewpoint: .init(position: [0, 0.5, 0]),
      meshes: [mesh])
    let camera = scene.camera(width: 64, height: 48)
    let (left, right) = (camera.ray(x: 22, y: 24), camera.ray(x: 42, y: 24))
    #expect(abs(scene.surface(on: left).t - 2) < 1e-5)
    #expect(scene.surface(on: left).picturePlace.x < 0.45)
    #expect(scene.surface(on: right).picturePlace.x > 0.55)
  }

  @Test(
    "a damaged OBJ is named with its line and reason",
    arguments: [
      ("v 1 2\n", "line 1 has not 3 numbers"), ("v 1 2 x\n", "line 1 has not 3 numbers"),
      ("v 1 2 inf\n", "line 1 has not 3 numbers"), ("\nvt 1\n", "line 2 has not 2 numbers"),
      ("v 0 0 0\nf 1 1 1 1\n", "line 2 has a face of 4 corners, expected 3"),
      ("v 0 0 0\nf 1 1 2\n", "line 2 names a vertex that is not among the 1 before it"),
      ("v 0 0 0\nf 1 1 0\n", "line 2 names a vertex that is not among the 1 before it"),
      ("v 0 0 0\nf 1 1 x\n", "line 2 names a vertex that is not among the 1 before it"),
      ("v 0 0 0\nf 1 1 1/1\n", "line 2 names a vt that is not among the 0 before it"),
      ("v 0 0 0\n", "it has no triangle"), ("", "it has no triangle"),
    ])
  func aBadFileIsNamedInOneSentence(text: String, reason: String) throws {
    let folder = try TemporaryFolder()
    try ThingFolder.write(text, to: "bad.obj", in: folder)
    let file = folder.url("bad.obj")
    let expected = DepthError.damaged(file: file.relativePath, format: "OBJ", reason: reason)
    #expect(throws: expected) { try TriangleMesh(contentsOf: file) }
  }

  @Test("a missing OBJ is named") func aMissingFileIsNamed() throws {
    let file = URL(filePath: "/nowhere/mesh.obj")
    let error = #expect(throws: DepthError.self) { try TriangleMesh(contentsOf: file) }
    #expect(error?.code == .unreadable && error?.file == "/nowhere/mesh.obj")
  }
}
