import DepthBase
import DepthGeometry
import MonocularDepth
import PictureFiles

/// Options for converting a depth map to geometry.
struct ShapeRequest: Request {
  /// Treatment of pixels between two surfaces.
  enum FlyingPixels: String, Codable, CaseIterable, Sendable {
    case snap, drop, keep
  }

  /// Difference of neighboring disparities above which the surface is cut, as a share of the nearer
  /// disparity.
  var edgeThreshold: Float?
  var flyingPixels = FlyingPixels.snap
  /// Largest error of a simplified mesh, in pixel widths; 0 keeps all vertices.
  var simplify: Float?

  func check() throws(InvalidRequest) {
    try check("edgeThreshold", edgeThreshold, in: GeometryOptions.edgeThresholds)
    try check("simplify", simplify, in: GeometryOptions.simplifications, unit: "pixels")
    if flyingPixels == .keep, edgeThreshold != nil {
      throw InvalidRequest(
        "`edgeThreshold` has no effect with `flyingPixels` keep, expected only one of them")
    }
  }

  /// - Parameter fillsHoles: Whether pixels without a depth are filled.
  func options(fillsHoles: Bool) -> GeometryOptions {
    var options = GeometryOptions(fillsHoles: fillsHoles)
    if flyingPixels == .keep || edgeThreshold != nil { options.edgeThreshold = edgeThreshold }
    options.dropsFlyingPixels = flyingPixels == .drop
    options.simplification = simplification
    return options
  }

  private var simplification: Float { simplify ?? GeometryOptions().simplification }

  /// Whether every pixel becomes a vertex.
  var keepsAllPixels: Bool { simplification == 0 }
}

/// A point cloud, a mesh or a page for `depth export` and `POST /v1/export`.
struct ExportRequest: Request {
  /// Points or triangles.
  enum Kind: String, Codable, CaseIterable, Sendable {
    case mesh, cloud
  }

  var map = MapRequest()
  var shape = ShapeRequest()
  /// `nil` for GLB.
  var format: ExportFormat?
  /// `nil` for the format's default.
  var kind: Kind?
  /// JPEG quality of the texture or the photo.
  var quality: Int?
  var lossless = false

  func check() throws(InvalidRequest) {
    try map.check()
    try shape.check()
    try check("quality", quality, in: ImageFileFormat.qualities)
    if exportFormat.geometry == nil {
      let given = (kind != nil ? ["kind"] : lossless ? ["lossless"] : []) + shape.givenFields
      if let field = given.first {
        throw InvalidRequest(
          "`\(field)` cannot be combined with \(exportFormat.isFolder ? "" : ".")\(exportFormat.rawValue), which has no geometry"
        )
      }
    }
    if lossless, exportFormat == .ply || geometryKind == .cloud {
      throw InvalidRequest("`lossless` requires a texture, expected a mesh as .glb or .obj")
    }
    if quality != nil, lossless || !hasPhoto {
      throw InvalidRequest(
        "`quality` requires JPEG, but the output has \(hasPhoto ? "a PNG texture" : "no photo inside")"
      )
    }
    if kind == .cloud, exportFormat.geometry?.holdsClouds != true {
      throw InvalidRequest(
        "`kind` cloud cannot be combined with .\(exportFormat.rawValue), expected .ply or .glb")
    }
    if geometryKind == .cloud, shape.simplify != nil {
      throw InvalidRequest("`simplify` requires `kind` mesh")
    }
  }

  /// The feature that requires metres, for messages.
  var purposeOfMetres: String {
    exportFormat.isFolder ? "a dataset" : exportFormat == .html ? "a page" : "geometry"
  }

  var exportFormat: ExportFormat { format ?? .glb }

  var geometryKind: Kind {
    kind ?? (exportFormat.geometry?.prefersClouds == true ? .cloud : .mesh)
  }

  var jpegQuality: Int { quality ?? ImageFileFormat.defaultQuality }
  var texture: ImageFileFormat { lossless ? .png : .jpeg(quality: jpegQuality) }

  /// Whether the output contains the photo as a texture or picture, not as point colors.
  private var hasPhoto: Bool {
    exportFormat.geometry == nil || exportFormat != .ply && geometryKind == .mesh
  }

  /// The kind of work on a photo, which determines its memory.
  ///
  /// - Parameter isEstimate: Whether depth is estimated.
  func work(isEstimate: Bool = true) -> MemoryNeed.Work {
    if exportFormat.isFolder { return .mapWithNormals }
    guard exportFormat.geometry != nil else { return .page }
    if geometryKind == .cloud { return .cloud }
    return shape.keepsAllPixels || !isEstimate || !map.options.isSmooth ? .denseMesh : .mesh
  }
}
