public import DepthImages
public import PictureFiles
public import SystemEssentials

/// Triangles in front of a camera, with the photo as their texture.
///
/// The camera is at the origin and looks along −z; x points right and y up, as in glTF. Units are metres. The vertices
/// of a triangle are counterclockwise as seen from the camera.
///
/// ```swift
/// let mesh = try sharp.mesh(of: photo, camera: PhotoCamera(of: photo).camera)
/// print(mesh.vertexCount, mesh.triangleCount)
/// try mesh.write(to: url)  // .glb, .ply or .obj
/// ```
public struct DepthMesh: Sendable, Hashable {
  /// x, y and z of each vertex, metres; vertex `i` begins at `3·i`.
  public let positions: [Float]
  /// The surface's unit normal at each vertex, on the camera's side; x, y and z of vertex `i` begin at `3·i`.
  public let normals: [Float]
  /// Position of each vertex in the texture, 0…1 from the left and 0…1 from the top; vertex `i` begins at `2·i`.
  public let textureCoordinates: [Float]
  /// Red, green and blue of the photo at each vertex, sRGB 0…255; vertex `i` begins at `3·i`.
  public let colors: [UInt8]
  /// The three vertices of each triangle, as vertex indices; triangle `i` begins at `3·i`.
  public let triangles: [UInt32]
  /// The texture, which is the photo.
  public let texture: Image

  /// Number of vertices.
  public var vertexCount: Int { positions.count / 3 }
  /// Number of triangles.
  public var triangleCount: Int { triangles.count / 3 }

  /// Writes a GLB with an embedded texture, a binary PLY with vertex colors, or an OBJ. An OBJ file `NAME.obj` has a
  /// material `NAME.mtl` and a texture `NAME_texture.jpg` or `.png`, with `_` for each blank in the name. Either all of
  /// these files are written, or none.
  ///
  /// - Parameters:
  ///   - url: Ends in `.glb`, `.ply` or `.obj`.
  ///   - format: Format of the texture.
  ///   - overwrite: Whether existing files may be replaced.
  /// - Throws: `DepthError`. No partial file is left.
  public func write(
    to url: URL, texture format: ImageFileFormat = .jpeg(), overwrite: Bool = true
  ) throws {
    try GeometryFormat(extensionOf: url).write(
      .mesh(self), to: url, texture: format, overwrite: overwrite)
  }
}
