/// Joint filtering near the map's own size, in disparity, then joint upsampling to the photo's size.
///
/// A network's map is soft: across an edge it ramps from one depth to the other over a few pixels, and the
/// depths on the ramp belong to neither side. The filter measures the width of the map's edges. It treats a map as *sharp* if they
/// are at most 3.5 pixels wide and as *soft* from 5 pixels on; in between, its settings change linearly.
///
/// * It filters before upsampling, while the ramp is only a few pixels wide. A sharp map is filtered at twice its size, where each
///   pixel of the reduced photo mixes fewer colors.
/// * It gives little weight to pixels on a ramp. The level parts on both sides determine the depths, and color
///   decides which side a pixel belongs to.
/// * It works in disparity, in which a plane is linear, so that symmetric windows do not bend floors and walls.
/// * After each pass over a sharp map, it adds the depth that the pass removed, so that thin objects keep their depth.
/// * It uses the photo only near edges of the map (``detail``).
/// * It steepens the edges of the enlarged map, before a second step of upsampling if the photo is more than six times as large.
///
/// Lengths are in pixels of the map.
///
/// ```swift
/// let flat = JointFilter(detail: 0.25)  // flatter surfaces, softer edges
/// let walls = try depth.refined(guidedBy: photo, method: .joint(flat))
/// ```
public struct JointFilter: Sendable, Hashable {
  /// Passes of the filter before upsampling, at least 1.
  package var passes: Int = 2
  /// Spatial sigma of a pass, pixels of the map; the radius of the window is three sigmas.
  ///
  /// `nil` means 0.83 for sharp and 2.66 for soft maps. The window must be wider than a ramp, but a wide window would erase thin objects
  /// of a sharp map.
  package var sigmaSpatial: Float?
  /// Sigma of color differences, colors in 0…1, for the passes, and for the second step of upsampling to more than six times the map's
  /// size. In the passes it is 1.5 times as large for soft maps.
  package var sigmaRange: Float = 0.05
  /// Sigma of color differences, colors in 0…1, for upsampling; 1.5 times as large for soft maps. It is larger than ``sigmaRange``
  /// because each pixel of the photo is compared with averages of many pixels: a pixel of fine texture differs from all of them.
  package var upsamplingSigma: Float = 0.07
  /// The slope at which a pixel has half its weight: the change of disparity over one pixel of the map, as a share of the pixel's
  /// disparity.
  package var edgeTolerance: Float = 0.1
  /// Amount of unsharp masking of a sharp map before the passes: the factor of the difference between the map and its blur by a
  /// Gaussian of one pixel. Soft maps get six times as much. 0 switches it off.
  package var sharpening: Float = 0.8
  /// The share of the depth removed by a pass that is added again after the pass, for sharp maps. It is 0 for soft maps, in which the
  /// pass removes the ramp itself. 0 switches it off.
  package var backProjection: Float = 0.7
  /// The influence of the photo's edges, 0…1. At 1 the filter uses every edge of the photo, at 0 only broad shapes. In between, it
  /// uses an edge where the map also has one; a larger number accepts weaker edges of the map.
  /// Larger numbers give sharper edges, smaller numbers flatter surfaces.
  public var detail: Float

  /// The default ``detail``: it keeps edges of depth, but does not copy the patterns of carpets and posters into the depth.
  package static let defaultDetail: Float = 0.5
  package static let details: ClosedRange<Float> = 0...1

  /// The call that filters throws `DepthError` unless `detail` is 0…1.
  public init(detail: Float = 0.5) { self.detail = detail }

  /// The default filter with some of its parameters changed.
  package init(_ change: (inout JointFilter) -> Void) {
    self.init()
    change(&self)
  }
}
