/// Joint filtering in disparity near the map's own size, followed by joint upsampling to the photo's size.
///
/// A network's map is soft: across an edge, depth ramps from one level to the other over a few pixels, and depths on the ramp
/// belong to neither side. The filter measures the width of the map's edges. A map is *sharp* up to 3.5 pixels and *soft* from
/// 5 pixels; in between, the settings change linearly.
///
/// * Filtering precedes upsampling, while the ramp is only a few pixels wide. A sharp map is filtered at 1.5 or 2 times its
///   size, where each pixel of the reduced photo mixes fewer colors.
/// * Pixels on a ramp have little weight. The level parts on both sides determine the depths, and color decides the side.
/// * Filtering is in disparity, in which planes are linear, so that symmetric windows do not bend floors and walls.
/// * After each pass over a sharp map, the removed depth is restored, so that thin objects keep their depth.
/// * The photo is used only near edges of the map (``detail``).
/// * The edges of the enlarged map are steepened. A photo over six times as large as the map needs a second upsampling step.
///
/// Lengths are in pixels of the map.
///
/// ```swift
/// let flat = JointFilter(detail: 0.25)  // flatter surfaces, softer edges
/// let walls = try depth.refined(guidedBy: photo, method: .joint(flat))
/// ```
public struct JointFilter: Sendable, Hashable {
  /// Number of passes of the filter before upsampling, at least 1.
  package var passes: Int = 2
  /// Spatial sigma of a pass, pixels of the map; the radius of the window is three sigmas.
  ///
  /// `nil` means 2.66 for soft maps, and 0.83 or 1.1 for sharp ones, by their size (``SharpMapSettings``). The window must be
  /// wider than a ramp, but in a sharp map, a wide window would erase thin objects.
  package var sigmaSpatial: Float?
  /// Sigma of color differences for the passes and the second step of upsampling, with colors in 0…1. For soft maps, the
  /// sigma of the passes is 1.5 times as large.
  package var sigmaRange: Float = 0.05
  /// Sigma of color differences for upsampling, with colors in 0…1; 1.5 times as large for soft maps. This sigma exceeds
  /// ``sigmaRange``, because each photo pixel is compared with averages of many pixels, and fine texture differs from all of
  /// these averages.
  package var upsamplingSigma: Float = 0.07
  /// The slope at which a pixel has half its weight. The slope is the change of disparity per pixel of the map, as a share of
  /// the pixel's disparity.
  package var edgeTolerance: Float = 0.1
  /// Amount of unsharp masking of a sharp map before the passes: the factor of the difference between the map and its blur by a
  /// Gaussian of one pixel. The amount is six times as large for soft maps. 0 disables unsharp masking. `nil` means 0.5 or
  /// 0.8, by the map's size (``SharpMapSettings``).
  package var sharpening: Float?
  /// The share of the removed depth that is restored after each pass over a sharp map. The share is 0 for soft maps, in which
  /// the pass removes the ramp itself. 0 disables restoring.
  package var backProjection: Float = 0.7
  /// The influence of the photo's edges, 0…1. At 1, the filter uses every edge of the photo. At 0, the filter uses only
  /// broad shapes. In between, the filter uses edges that the map also has; larger numbers accept weaker edges of the map.
  /// Larger numbers sharpen edges, and smaller numbers flatten surfaces.
  public var detail: Float

  /// The default ``detail``, with which depth edges are kept but patterns of carpets and posters are not copied into depth.
  package static let defaultDetail: Float = 0.5
  package static let details: ClosedRange<Float> = 0...1

  /// Creates a filter. Filtering throws `DepthError` unless `detail` is 0…1.
  public init(detail: Float = 0.5) { self.detail = detail }

  /// Creates the default filter with changed parameters.
  package init(_ change: (inout JointFilter) -> Void) {
    self.init()
    change(&self)
  }
}
