import DepthErrors

/// Options for converting a depth map to a cloud or a mesh.
///
/// ```swift
/// var options = GeometryOptions()
/// options.simplification = 4  // fewer triangles
/// options.dropsFlyingPixels = true  // gaps instead of moved pixels along edges
/// ```
public struct GeometryOptions: Sendable, Hashable, Codable {
  /// The relative jump between surfaces. Two neighbors belong to different surfaces if their disparities differ by more than
  /// this share of the nearer disparity, unless the neighbors are on one plane, where disparity is linear. `nil` connects all
  /// neighbors and moves no pixel.
  ///
  /// > Source: R. Wang et al. “MoGe.” CVPR 2025, [arXiv:2410.19115](https://arxiv.org/abs/2410.19115): the published code cuts
  /// > meshes at a relative jump of 0.04.
  public var edgeThreshold: Float?
  /// Whether to remove flying pixels. These are pixels that are beside the edges of an upsampled map and on no surface.
  /// By default, flying pixels are moved along their rays to the surface closest in depth.
  public var dropsFlyingPixels: Bool
  /// Whether pixels without a value and pixels removed at edges are filled with the depth of the farthest adjacent surface. No
  /// triangle connects two surfaces in any case.
  public var fillsHoles: Bool
  /// The largest error of the mesh's depth due to omitted vertices, divided by the width of a pixel at that depth. At 1, depth
  /// may be off by a pixel's width; at 0, every pixel is a vertex. Clouds are not simplified.
  public var simplification: Float

  package static let edgeThresholds: ClosedRange<Float> = 0.001...1
  package static let simplifications: ClosedRange<Float> = 0...1000

  /// Creates options. Functions throw `DepthError` unless `edgeThreshold` is 0.001…1 and `simplification` 0…1000.
  public init(
    edgeThreshold: Float? = 0.04, dropsFlyingPixels: Bool = false, fillsHoles: Bool = false,
    simplification: Float = 1
  ) {
    self.edgeThreshold = edgeThreshold
    self.dropsFlyingPixels = dropsFlyingPixels
    self.fillsHoles = fillsHoles
    self.simplification = simplification
  }

  /// - Throws: `DepthError` with code `invalidArgument`.
  func check() throws {
    try edgeThreshold?.checked(
      in: Self.edgeThresholds, "the edge threshold", "0.001 to 1, a share of the disparity")
    try simplification.checked(in: Self.simplifications, "the simplification", "0 to 1000 pixels")
  }
}
