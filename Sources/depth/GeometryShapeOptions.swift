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
      "Cut where the disparity of neighbors differs by more than this share, 0.001 to 1.",
      valueName: "share"))
  var edgeThreshold: Float = 0.04

  @Option(
    help: ArgumentHelp(
      "Pixels between two surfaces: snap to the nearer in depth, drop, or keep with all triangles across edges.",
      valueName: "choice"))
  var flyingPixels: FlyingPixels = .snap

  @Option(
    help: ArgumentHelp(
      "Fewer triangles, with errors up to this many pixels seen from the side; 0 keeps all.",
      valueName: "pixels"))
  var simplify: Float?

  func validate() throws {
    guard (0.001...1).contains(edgeThreshold) else {
      throw ValidationError("--edge-threshold is \(edgeThreshold), expected 0.001 to 1")
    }
    if let simplify, !(0...1000).contains(simplify) {
      throw ValidationError("--simplify is \(simplify), expected 0 to 1000 pixels")
    }
  }

  /// - Parameter fillsHoles: The option `--fill`.
  func options(fillsHoles: Bool) -> GeometryOptions {
    var options = GeometryOptions(fillsHoles: fillsHoles)
    options.edgeThreshold = flyingPixels == .keep ? nil : edgeThreshold
    options.dropsFlyingPixels = flyingPixels == .drop
    options.simplification = simplification
    return options
  }

  private var simplification: Float { simplify ?? GeometryOptions().simplification }

  /// Whether every pixel becomes a vertex.
  var keepsAllPixels: Bool { simplification == 0 }

  /// The options as words of a ``Recipe``.
  var words: [String] {
    ["flying-pixels=\(flyingPixels.rawValue)", "simplify=\(simplification)"]
      + (flyingPixels == .keep ? [] : ["edge-threshold=\(edgeThreshold)"])
  }
}
