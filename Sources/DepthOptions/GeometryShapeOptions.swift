package import ArgumentParser
package import DepthGeometry
import PhotoRuns

/// How a depth map becomes geometry.
package struct GeometryShapeOptions: ParsableArguments {
  package init() {}

  /// What becomes of pixels between two surfaces.
  package enum FlyingPixels: String, ExpressibleByArgument, CaseIterable {
    case snap, drop, keep
  }

  @Option(
    help: ArgumentHelp(
      """
      Cut between neighboring pixels whose disparities (1 / metres) differ by more than this share of the nearer \
      pixel's disparity, 0.001 to 1, unless they lie on one plane.
      """,
      valueName: "share"))
  package var edgeThreshold: Float = 0.04

  @Option(
    help: ArgumentHelp(
      """
      What to do with pixels at an edge whose depth lies between two surfaces: snap moves them to the surface closer \
      in depth, drop removes them, keep keeps them. keep also cuts nothing: it ignores --edge-threshold.
      """,
      valueName: "choice"))
  package var flyingPixels: FlyingPixels = .snap

  @Option(
    help: ArgumentHelp(
      """
      Largest error of the simplified mesh's depth, in widths of a pixel at that depth, 0 to 1000; 1 by default. 0 \
      keeps a vertex for every pixel. Not for clouds.
      """,
      valueName: "pixels"))
  package var simplify: Float?

  package func validate() throws {
    try check("--edge-threshold", edgeThreshold, in: 0.001...1)
    try check("--simplify", simplify, in: 0...1000, unit: "pixels")
  }

  /// - Parameter fillsHoles: The option `--fill`.
  package func options(fillsHoles: Bool) -> GeometryOptions {
    var options = GeometryOptions(fillsHoles: fillsHoles)
    options.edgeThreshold = flyingPixels == .keep ? nil : edgeThreshold
    options.dropsFlyingPixels = flyingPixels == .drop
    options.simplification = simplification
    return options
  }

  private var simplification: Float { simplify ?? GeometryOptions().simplification }

  /// Whether every pixel becomes a vertex.
  package var keepsAllPixels: Bool { simplification == 0 }

  /// The options as words of a ``Recipe``.
  package var words: [String] {
    ["flying-pixels=\(flyingPixels.rawValue)", "simplify=\(simplification)"]
      + (flyingPixels == .keep ? [] : ["edge-threshold=\(edgeThreshold)"])
  }
}
