import ArgumentParser

/// Options for converting a depth map to geometry.
struct GeometryShapeOptions: ParsableArguments {
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
  var flyingPixels = ShapeRequest().flyingPixels

  @Option(
    help: ArgumentHelp(
      """
      Largest error of the simplified mesh's depth, in widths of a pixel at that depth, 0 to 1000; 1 by default. 0 \
      keeps a vertex for every pixel. Not for clouds.
      """,
      valueName: "pixels"))
  var simplify: Float?

  var request: ShapeRequest {
    ShapeRequest(edgeThreshold: edgeThreshold, flyingPixels: flyingPixels, simplify: simplify)
  }
}
