import DepthBase
import DepthErrors
import DepthGeometry
import DepthImages
import PictureFiles

/// A page, a point cloud or a mesh that `depth export` and `POST /v1/export` make from a photo.
enum PhotoExport {
  case page(String)
  case geometry(Geometry, GeometryFormat)

  var kind: String {
    switch self {
    case .page: "page"
    case .geometry(.cloud, _): "cloud"
    case .geometry(.mesh, _): "mesh"
    }
  }

  /// The number of points in a cloud, or of vertices and triangles in a mesh; `nil` for a page.
  var counts: (vertices: Int, faces: Int)? {
    guard case .geometry(let geometry, _) = self else { return nil }
    return (geometry.vertexCount, geometry.triangleCount)
  }

  /// The files without the camera file, beginning with the main file.
  ///
  /// - Parameter name: The files' name without an extension, by which files refer to each other.
  func files(
    name: String, texture: ImageFileFormat, threads: Int
  ) throws -> [FileContent] {
    switch self {
    case .page(let page): [.bytes(Array(page.utf8))]
    case .geometry(let geometry, let format):
      try format.files(of: geometry, name: name, texture: texture, threads: threads)
    }
  }
}

extension ExportRequest {
  /// Converts a photo and its depth map.
  ///
  /// - Parameters:
  ///   - name: The photo's file name, for a page.
  ///   - facts: Facts about the depth, for a page.
  /// - Throws: `DepthError` if the map has no unit; code `noDepth` if the result is empty.
  func shaped(
    _ photo: Image, depth: DepthMap, camera: Camera, name: String, facts: DepthPage.Facts,
    threads: Int
  ) throws -> PhotoExport {
    try depth.unit.requireMetric(for: purposeOfMetres)
    let options = shape.options(fillsHoles: map.refinement.fill)
    guard let format = exportFormat.geometry else {
      return .page(
        try DepthPage.html(
          photo: photo, depth: depth, camera: camera, facts: facts, name: name,
          quality: jpegQuality, threads: threads))
    }
    let geometry: Geometry =
      switch geometryKind {
      case .cloud:
        .cloud(
          try depth.pointCloud(of: photo, camera: camera, options: options, threads: threads))
      case .mesh:
        .mesh(try depth.mesh(of: photo, camera: camera, options: options, threads: threads))
      }
    guard geometry.vertexCount > 0 else {
      throw DepthError(
        .noDepth,
        geometryKind == .cloud
          ? "gives no point, expected pixels with a depth away from its edges"
          : "gives no triangle, expected depth at neighboring pixels")
    }
    return .geometry(geometry, format)
  }
}
