import PictureFiles
public import SystemEssentials

/// Points in front of a camera, with normals and colors.
///
/// The camera is at the origin and looks along −z; x points right and y up, as in glTF. Units are metres.
///
/// ```swift
/// let cloud = try sharp.pointCloud(of: photo, camera: PhotoCamera(of: photo).camera)
/// try cloud.write(to: url)  // .ply or .glb
/// ```
public struct PointCloud: Sendable, Hashable {
  /// x, y and z of each point, metres; point `i` begins at `3·i`.
  public let positions: [Float]
  /// The surface's unit normal at each point, on the camera's side; x, y and z of point `i` begin at `3·i`.
  public let normals: [Float]
  /// Red, green and blue of each point, sRGB 0…255; point `i` begins at `3·i`.
  public let colors: [UInt8]

  /// Number of points.
  public var count: Int { positions.count / 3 }

  /// Writes a binary PLY or a GLB atomically, in the format of the file's extension.
  ///
  /// - Parameters:
  ///   - url: Ends in `.ply` or `.glb`.
  ///   - overwrite: Whether an existing file may be replaced.
  /// - Throws: `DepthError`. No partial file is left.
  public func write(to url: URL, overwrite: Bool = true) throws {
    try GeometryFormat(extensionOf: url).write(
      .cloud(self), to: url, texture: .jpeg(), overwrite: overwrite)
  }
}
