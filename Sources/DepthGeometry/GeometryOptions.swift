import DepthErrors

/// How a depth map becomes a cloud or a mesh.
///
/// ```swift
/// var options = GeometryOptions()
/// options.simplification = 4  // fewer triangles
/// options.dropsFlyingPixels = true  // gaps instead of moved pixels along edges
/// ```
public struct GeometryOptions: Sendable, Hashable {
  /// The change of disparity between two neighbors above which they belong to different surfaces, as a
  /// share of the nearer one's disparity; planes may change faster, since disparity is linear on them. `nil`
  /// leaves everything connected and no pixel moved.
  ///
  /// > Source: R. Wang et al. “MoGe.” CVPR 2025, [arXiv:2410.19115](https://arxiv.org/abs/2410.19115): the
  /// > published code cuts meshes at a relative jump of 0.04.
  public var edgeThreshold: Float?
  /// Whether pixels that are on no surface, beside the edges of an upsampled map, are left out. By default they are
  /// moved along their rays to the surface that is nearer in depth.
  public var dropsFlyingPixels: Bool
  /// Whether pixels without a value, and those left out at edges, get the depth of the farthest surface beside them.
  /// Cuts between surfaces stay.
  public var fillsHoles: Bool
  /// How far the mesh may lie from the map, pixels: the largest change of depth divided by the size of a
  /// pixel at that depth, which is what shows when the scene is seen from the side. 0 keeps a vertex for every
  /// pixel. Clouds are not simplified.
  public var simplification: Float

  /// The call that makes the geometry throws `DepthError` unless `edgeThreshold` is 0.001…1 and
  /// `simplification` 0…1000.
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
      in: 0.001...1, "the edge threshold", "0.001 to 1, a share of the disparity")
    try simplification.checked(in: 0...1000, "the simplification", "0 to 1000 pixels")
  }
}
