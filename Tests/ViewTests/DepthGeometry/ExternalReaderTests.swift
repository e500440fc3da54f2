import DepthGeometry
import DepthImages
import Foundation
import PictureFiles
import Testing
import _TestSupport

/// Other programs read the points, to a millimetre, and the colors.
@Suite struct ExternalReaderTests {
  private static let map = GeometryScenes.box(height: 30, width: 41)
  private static let photo = GeometryScenes.photo(map)
  private static let camera = GeometryScenes.camera(map)

  private func numbers(_ text: String) -> [Double] {
    text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
  }

  private func expectClose(_ found: ArraySlice<Double>, _ expected: [Double], _ limit: Double) {
    #expect(found.count == expected.count)
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= limit })
  }

  private static let printing = """
    import numpy as np, sys
    def say(*arrays):
      for array in arrays: print(*np.asarray(array, dtype=float).ravel())
    """

  @Test(
    "trimesh reads the points and colors of PLY and GLB clouds",
    .enabled(if: ExternalReader.trimesh.isInstalled, "trimesh is not installed"))
  func trimeshReadsClouds() throws {
    let folder = try TemporaryFolder()
    let cloud = try Self.map.pointCloud(of: Self.photo, camera: Self.camera)
    for ending in ["ply", "glb"] {
      let path = folder.path("cloud.\(ending)")
      try cloud.write(to: URL(filePath: path))
      let found = numbers(
        try ExternalReader.trimesh.run([
          "-c",
          Self.printing + """

            import trimesh
            cloud = trimesh.load(sys.argv[1])
            cloud = list(cloud.geometry.values())[0] if hasattr(cloud, 'geometry') else cloud
            say(cloud.vertices, np.asarray(cloud.colors)[:, :3])
            """, path,
        ]))
      let count = 3 * cloud.count
      #expect(found.count == 2 * count)
      expectClose(found.prefix(count), cloud.positions.map(Double.init), 1e-3)
      // trimesh returns the linear light of glTF as bytes.
      let colors = cloud.colors.map { code -> Double in
        guard ending == "glb" else { return Double(code) }
        let value = Double(code) / 255
        return 255 * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
      }
      expectClose(found.suffix(count), colors, ending == "glb" ? 1 : 0)
    }
  }

  @Test(
    "trimesh reads the triangles and texture of GLB and OBJ meshes",
    .enabled(if: ExternalReader.trimesh.isInstalled, "trimesh is not installed"))
  func trimeshReadsMeshesWithTheirTexture() throws {
    let folder = try TemporaryFolder()
    let mesh = try Self.map.mesh(of: Self.photo, camera: Self.camera)
    for ending in ["glb", "obj"] {
      let path = folder.path("mesh.\(ending)")
      try mesh.write(to: URL(filePath: path), texture: .png)
      let found = numbers(
        try ExternalReader.trimesh.run([
          "-c",
          Self.printing + """

            import trimesh
            mesh = trimesh.load(sys.argv[1], process=False, force='mesh', maintain_order=True)
            image = getattr(mesh.visual.material, 'baseColorTexture', None) or mesh.visual.material.image
            say([len(mesh.faces)], mesh.triangles, mesh.visual.uv[mesh.faces],
                np.asarray(image.convert('RGB')))
            """, path,
        ]))
      #expect(found.first == Double(mesh.triangleCount))
      let corners = mesh.triangles.flatMap { vertex in
        (0..<3).map { Double(mesh.positions[3 * Int(vertex) + $0]) }
      }
      // trimesh counts v from below.
      let places = mesh.triangles.flatMap { vertex in
        [
          Double(mesh.textureCoordinates[2 * Int(vertex)]),
          1 - Double(mesh.textureCoordinates[2 * Int(vertex) + 1]),
        ]
      }
      let picture = Self.photo.pixels.map(Double.init)
      expectClose(found.dropFirst().prefix(corners.count), corners, 1e-3)
      expectClose(found.dropFirst(1 + corners.count).prefix(places.count), places, 1e-5)
      expectClose(found.suffix(picture.count), picture, 0)
      #expect(found.count == 1 + corners.count + places.count + picture.count)
    }
  }

  @Test(
    "Open3D reads points, normals, colors and triangles",
    .enabled(if: ExternalReader.open3D.isInstalled, "Open3D is not installed"))
  func open3DReadsPointsNormalsAndColors() throws {
    let folder = try TemporaryFolder()
    let cloud = try Self.map.pointCloud(of: Self.photo, camera: Self.camera)
    let path = folder.path("cloud.ply")
    try cloud.write(to: URL(filePath: path))
    let found = numbers(
      try ExternalReader.open3D.run([
        "-c",
        Self.printing + """

          import open3d
          cloud = open3d.io.read_point_cloud(sys.argv[1])
          say(cloud.points, cloud.normals, np.round(255 * np.asarray(cloud.colors)))
          """, path,
      ]))
    let count = 3 * cloud.count
    #expect(found.count == 3 * count)
    expectClose(found.prefix(count), cloud.positions.map(Double.init), 1e-3)
    expectClose(found.dropFirst(count).prefix(count), cloud.normals.map(Double.init), 1e-5)
    expectClose(found.suffix(count), cloud.colors.map(Double.init), 0)
    let mesh = try Self.map.mesh(of: Self.photo, camera: Self.camera)
    for ending in ["ply", "glb", "obj"] {
      let path = folder.path("mesh.\(ending)")
      try mesh.write(to: URL(filePath: path))
      let counts = numbers(
        try ExternalReader.open3D.run([
          "-c",
          Self.printing + """

            import open3d
            mesh = open3d.io.read_triangle_mesh(sys.argv[1])
            say([len(mesh.vertices), len(mesh.triangles)])
            """, path,
        ]))
      #expect(counts.last == Double(mesh.triangleCount), "\(ending)")
    }
  }
}
