import DepthBase
public import PictureFiles

/// Files in memory, for example for a server's response or an archive. `write` writes the same bytes.
extension DepthMesh {
  /// A GLB with an embedded texture.
  ///
  /// - Parameter format: Format of the texture.
  /// - Throws: `DepthError` if the texture cannot be encoded.
  public func glb(texture format: ImageFileFormat = .jpeg()) throws -> [UInt8] {
    try GeometryFormat.glb.bytes(of: .mesh(self), texture: format)
  }

  /// A binary PLY with vertex colors.
  ///
  /// - Throws: `DepthError` if memory is exhausted.
  public func ply() throws -> [UInt8] {
    try GeometryFormat.ply.bytes(of: .mesh(self), texture: .jpeg())
  }
}

extension PointCloud {
  /// A GLB of points.
  ///
  /// - Throws: `DepthError` if memory is exhausted.
  public func glb() throws -> [UInt8] {
    try GeometryFormat.glb.bytes(of: .cloud(self), texture: .jpeg())
  }

  /// A binary PLY.
  ///
  /// - Throws: `DepthError` if memory is exhausted.
  public func ply() throws -> [UInt8] {
    try GeometryFormat.ply.bytes(of: .cloud(self), texture: .jpeg())
  }
}

extension GeometryFormat {
  /// The only file of a single-file format.
  fileprivate func bytes(
    of geometry: Geometry, texture: ImageFileFormat
  ) throws -> [UInt8] {
    try files(
      of: geometry, name: "", texture: texture, threads: ThreadCount.checked(nil))[0].gathered()
  }
}
