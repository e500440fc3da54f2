import ArgumentParser
import DepthGeometry

/// How a depth map becomes geometry.
struct GeometryShapeOptions: ParsableArguments {
  /// What becomes of pixels between two surfaces.
  enum FlyingPixels: String, ExpressibleByArgument, CaseIterable {
    case snap, drop, keep
  }

  @Option(
    help: ArgumentHelp(
      """
      Cut between neighboring pixels whose disparities (1 / metres) differ by more than this share of the nearer \
      pixel's disparity, 0.001 to 1, unless they lie on one plane; 0.04 by default.
      """,
      valueName: "share"))
  var edgeThreshold: Float?

  @Option(
    help: ArgumentHelp(
      """
      What to do with pixels at an edge whose depth lies between two surfaces: snap moves them to the surface closer \
      in depth, drop removes them, keep keeps them. keep also cuts nothing: --edge-threshold is an \
      error with it.
      """,
      valueName: "choice"))
  var flyingPixels: FlyingPixels = .snap

  @Option(
    help: ArgumentHelp(
      """
      Largest error of the simplified mesh's depth, in widths of a pixel at that depth, 0 to 1000; 1 by default. 0 \
      keeps a vertex for every pixel. Not for clouds.
      """,
      valueName: "pixels"))
  var simplify: Float?

  func validate() throws {
    try check("--edge-threshold", edgeThreshold, in: 0.001...1)
    try check("--simplify", simplify, in: 0...1000, unit: "pixels")
    if flyingPixels == .keep, edgeThreshold != nil {
      throw ValidationError(
        "--edge-threshold has no effect with --flying-pixels keep, expected only one of them")
    }
  }

  /// Refuses options that have no effect on the output format: a page has no geometry, and a cloud no triangles.
  ///
  /// - Throws: A validation error.
  func check(_ output: GeometryOutputOptions) throws {
    if output.exportFormat == .html, let option = given.first {
      throw ValidationError("\(option) does not go with .html, which has no geometry")
    }
    if output.geometryKind == .cloud, simplify != nil {
      throw ValidationError("--simplify is for meshes, expected --kind mesh")
    }
  }

  /// Names of the options that differ from their defaults.
  private var given: [String] {
    optionNames([
      "--edge-threshold": edgeThreshold != nil, "--flying-pixels": flyingPixels != .snap,
      "--simplify": simplify != nil,
    ])
  }

  /// - Parameter fillsHoles: The option `--fill`.
  func options(fillsHoles: Bool) -> GeometryOptions {
    var options = GeometryOptions(fillsHoles: fillsHoles)
    options.edgeThreshold = flyingPixels == .keep ? nil : threshold
    options.dropsFlyingPixels = flyingPixels == .drop
    options.simplification = simplification
    return options
  }

  private var threshold: Float { edgeThreshold ?? 0.04 }

  private var simplification: Float { simplify ?? GeometryOptions().simplification }

  /// Whether every pixel becomes a vertex.
  var keepsAllPixels: Bool { simplification == 0 }
}
