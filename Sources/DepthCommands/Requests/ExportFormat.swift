import DepthErrors
import DepthGeometry
import PictureFiles
import SystemEssentials

/// A format of `depth export`: geometry, a page that shows a photo with its depth and points, or a dataset.
enum ExportFormat: String, CaseIterable, Codable, Sendable {
  case glb, ply, obj
  /// One file for a browser, which contains the photo and its depth.
  case html
  /// A folder of photos, depth and cameras for nerfstudio.
  case nerfstudio
  /// A folder in the layout of COLMAP's dense reconstruction.
  case colmap

  /// Whether all photos of a run share one output folder.
  var isFolder: Bool { self == .nerfstudio || self == .colmap }

  /// File extensions of the formats.
  static var names: [String] { allCases.filter { !$0.isFolder }.map(\.rawValue) }

  /// - Throws: `DepthError` with code `unsupportedFormat`.
  init(extensionOf url: URL) throws {
    try self.init(extensionOf: url, among: Self.allCases.filter { !$0.isFolder })
  }

  /// The format of geometry; `nil` for a page.
  var geometry: GeometryFormat? { GeometryFormat(rawValue: rawValue) }

  /// The names of the files, the main one first; see ``GeometryFormat/names(_:texture:)``.
  func names(_ stem: String, texture: ImageFileFormat) -> [String] {
    // A page contains its camera.
    geometry.map { $0.names(stem, texture: texture) + [stem + CameraFile.ending] }
      ?? [stem + ".html"]
  }
}
