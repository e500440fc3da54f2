package import DepthBase
import DepthErrors
package import PictureFiles
package import SystemEssentials

/// The content of a geometry file.
package enum Geometry: Sendable {
  case cloud(PointCloud)
  case mesh(DepthMesh)

  /// Number of points or vertices.
  package var vertexCount: Int {
    switch self {
    case .cloud(let cloud): cloud.count
    case .mesh(let mesh): mesh.vertexCount
    }
  }

  /// Number of triangles.
  package var triangleCount: Int {
    switch self {
    case .cloud: 0
    case .mesh(let mesh): mesh.triangleCount
    }
  }
}

/// The file formats of clouds and meshes. A new format needs a case with its extension, its content and an encoder;
/// the compiler finds the switches.
package enum GeometryFormat: String, Sendable, CaseIterable {
  /// glTF 2.0 in one file, with an embedded texture.
  case glb
  /// Polygon File Format, binary.
  case ply
  /// Wavefront, text, with separate material and texture files.
  case obj

  /// Extensions for lists in errors.
  package static var extensions: [String] { allCases.map { ".\($0.rawValue)" } }

  /// - Throws: `DepthError` with code `unsupportedFormat`.
  package init(extensionOf url: URL) throws {
    try self.init(extensionOf: url, among: Self.allCases)
  }

  /// Whether the format supports point clouds.
  package var holdsClouds: Bool {
    switch self {
    case .glb, .ply: true
    case .obj: false
    }
  }

  /// Whether users of the format expect a cloud.
  package var prefersClouds: Bool { self == .ply }

  /// The names of the format's files, beginning with the main file.
  ///
  /// - Parameter stem: The main file's name before its extension. Readers of OBJ end a name at a blank and expect
  ///   text, so in names of referenced files, `_` replaces blanks and bytes that are not UTF-8.
  package func names(_ stem: String, texture: ImageFileFormat) -> [String] {
    switch self {
    case .glb: return [stem + ".glb"]
    case .ply: return [stem + ".ply"]
    case .obj:
      let bare = String(stem.map { $0.isWhitespace || !String($0).isUTF8Name ? "_" : $0 })
      return [stem + ".obj", bare + ".mtl", bare + "_texture." + (texture == .png ? "png" : "jpg")]
    }
  }

  /// The files of a geometry, in the order of ``names(_:texture:)``.
  ///
  /// - Parameters:
  ///   - name: The main file's name without its extension.
  ///   - texture: Format of the texture, if any.
  /// - Throws: `DepthError` with code `unsupportedFormat` for a cloud in a format without clouds, or for a texture
  ///   that cannot be encoded.
  package func files(
    of geometry: Geometry, name: String, texture: ImageFileFormat, threads: Int
  ) throws -> [FileContent] {
    switch (self, geometry) {
    case (.glb, .cloud(let cloud)): [try GLBFile.content(of: cloud, threads: threads)]
    case (.glb, .mesh(let mesh)):
      [try GLBFile.content(of: mesh, texture: texture, threads: threads)]
    case (.ply, .cloud(let cloud)): [PLYFile.content(of: cloud, threads: threads)]
    case (.ply, .mesh(let mesh)): [PLYFile.content(of: mesh, threads: threads)]
    case (.obj, .mesh(let mesh)):
      try OBJFile.files(of: mesh, name: name, texture: texture, threads: threads)
    case (.obj, .cloud):
      throw DepthError(.unsupportedFormat, "OBJ cannot store point clouds, expected .ply or .glb")
    }
  }

  /// Writes all files of a geometry, or no file.
  ///
  /// - Throws: `DepthError`.
  func write(
    _ geometry: Geometry, to url: URL, texture: ImageFileFormat, overwrite: Bool,
    threads: Int? = nil
  ) throws {
    let stem = url.deletingPathExtension().lastPathComponent
    let files = try files(
      of: geometry, name: stem, texture: texture, threads: ThreadCount.checked(threads))
    let places = names(stem, texture: texture).enumerated().map { index, name in
      index == 0 ? url : url.deletingLastPathComponent().appending(path: name)
    }
    try AtomicFile.write(zip(files, places).map { (content: $0, url: $1) }, overwrite: overwrite)
  }
}
