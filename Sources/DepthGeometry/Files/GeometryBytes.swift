import DepthBase
public import PictureFiles

/// Files in memory, for example for a server's answer or an archive. The bytes are those of the file that `write`
/// makes.
extension Mesh {
  /// A GLB with the texture inside.
  ///
  /// - Parameters:
  ///   - format: Format of the texture.
  ///   - threads: Threads to use, 1…256; `nil` for one per processor. The bytes do not depend on it.
  /// - Throws: `DepthError` if the texture cannot be encoded, and for a number of threads outside 1…256.
  public func glb(texture format: ImageFileFormat = .jpeg(), threads: Int? = nil) throws -> [UInt8]
  {
    try GeometryFormat.glb.bytes(of: .mesh(self), texture: format, threads: threads)
  }

  /// A binary PLY with a color for each vertex.
  ///
  /// - Parameter threads: Threads to use, 1…256; `nil` for one per processor.
  /// - Throws: `DepthError` for a number of threads outside 1…256.
  public func ply(threads: Int? = nil) throws -> [UInt8] {
    try GeometryFormat.ply.bytes(of: .mesh(self), texture: .jpeg(), threads: threads)
  }
}

extension PointCloud {
  /// A GLB of points.
  ///
  /// - Parameter threads: Threads to use, 1…256; `nil` for one per processor.
  /// - Throws: `DepthError` for a number of threads outside 1…256.
  public func glb(threads: Int? = nil) throws -> [UInt8] {
    try GeometryFormat.glb.bytes(of: .cloud(self), texture: .jpeg(), threads: threads)
  }

  /// A binary PLY.
  ///
  /// - Parameter threads: Threads to use, 1…256; `nil` for one per processor.
  /// - Throws: `DepthError` for a number of threads outside 1…256.
  public func ply(threads: Int? = nil) throws -> [UInt8] {
    try GeometryFormat.ply.bytes(of: .cloud(self), texture: .jpeg(), threads: threads)
  }
}

extension GeometryFormat {
  /// The only file of a format that keeps everything in one.
  fileprivate func bytes(
    of geometry: Geometry, texture: ImageFileFormat, threads: Int?
  ) throws -> [UInt8] {
    try files(
      of: geometry, name: "", texture: texture, threads: ThreadCount.checked(threads))[0].gathered()
  }
}
