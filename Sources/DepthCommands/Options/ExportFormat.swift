import ArgumentParser
import DepthErrors
import DepthGeometry
import PictureFiles
import SystemEssentials

/// What `depth export` writes: geometry, or a page that shows the photo, its depth and its points.
enum ExportFormat: Hashable, CaseIterable, ExpressibleByArgument {
  case geometry(GeometryFormat)
  /// One file for a browser, with photo and depth inside.
  case html

  static var allCases: [ExportFormat] { GeometryFormat.allCases.map(geometry) + [.html] }

  /// The extension without its dot, which is also the option's word.
  var name: String {
    switch self {
    case .geometry(let format): format.rawValue
    case .html: "html"
    }
  }

  static var names: [String] { allCases.map(\.name) }
  static var allValueStrings: [String] { names }

  init?(argument: String) {
    guard let format = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = format
  }

  /// - Throws: `DepthError` with code `unsupportedFormat`.
  init(extensionOf url: URL) throws {
    let found = url.pathExtension.lowercased()
    guard let format = Self(argument: found) else {
      throw DepthError.unknownExtension(
        file: url.relativePath, expected: Self.names.map { ".\($0)" }, found: found)
    }
    self = format
  }

  /// The format of geometry; `nil` for a page.
  var geometry: GeometryFormat? {
    if case .geometry(let format) = self { format } else { nil }
  }

  /// The names of the files, the main one first; see ``GeometryFormat/names(_:texture:)``.
  func names(_ stem: String, texture: ImageFileFormat) -> [String] {
    switch self {
    case .geometry(let format): format.names(stem, texture: texture) + [stem + CameraFile.ending]
    // The page has the camera inside.
    case .html: [stem + ".html"]
    }
  }
}
