import DepthBase
public import PictureFiles

/// Files in memory, for example for a server's answer or an archive. The bytes are those of the file that `write`
/// makes.
extension DepthMesh {
  /// A GLB with the texture inside.
  ///
  /// - Parameter format: Format of the texture.
  /// - Throws: `DepthError` if the texture cannot be encoded.
  public func glb(texture format: ImageFileFormat = .jpeg()) throws -> [UInt8] {
    try GeometryFormat.glb.bytes(of: .mesh(self), texture: format)
  }

  /// A binary PLY with a color for each vertex.
  ///
  /// - Throws: `DepthError` if memory is missing.
  public func ply() throws -> [UInt8] {
    try GeometryFormat.ply.bytes(of: .mesh(self), texture: .jpeg())
  }
}

extension PointCloud {
  /// A GLB of points.
  ///
  /// - Throws: `DepthError` if memory is missing.
  public func glb() throws -> [UInt8] {
    try GeometryFormat.glb.bytes(of: .cloud(self), texture: .jpeg())
  }

  /// A binary PLY.
  ///
  /// - Throws: `DepthError` if memory is missing.
  public func ply() throws -> [UInt8] {
    try GeometryFormat.ply.bytes(of: .cloud(self), texture: .jpeg())
  }
}

extension GeometryFormat {
  /// The only file of a format that keeps everything in one.
  fileprivate func bytes(
    of geometry: Geometry, texture: ImageFileFormat
  ) throws -> [UInt8] {
    try files(
      of: geometry, name: "", texture: texture, threads: ThreadCount.checked(nil))[0].gathered()
  }
}
