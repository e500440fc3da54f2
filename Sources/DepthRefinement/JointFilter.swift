/// Joint filtering near the map's own size, in disparity, then joint upsampling to the photo's.
///
/// A network's map is soft: across an edge it ramps from one depth to the other over a few pixels, and the
/// depths on the ramp belong to neither side. The filter therefore does the following.
///
/// * It filters before upsampling, while the ramp is only a few pixels wide. A sharp map is filtered at twice its
///   size, where each pixel of the photo mixes fewer colors, and again at the size of a photo up to six times as large.
/// * It gives little weight to pixels on a ramp. The level parts on both sides determine the depths, and color
///   decides which side a pixel belongs to.
/// * It works in disparity, in which a plane is linear, so that symmetric windows do not bend floors and walls.
/// * After each pass it adds to a sharp map, in metres, what the pass removed, so that thin objects keep their depth.
/// * It uses the photo only near edges of the map (``detail``), and steepens the edges of a soft map.
///
/// Lengths are pixels of the map.
///
/// ```swift
/// let flat = JointFilter(detail: 0.25)  // flatter surfaces, softer edges
/// let walls = try depth.refined(guidedBy: photo, method: .joint(flat))
/// ```
public struct JointFilter: Sendable, Hashable {
  /// Passes of the filter before upsampling, at least 1.
  public var passes: Int
  /// Spatial sigma of a pass, pixels of the map; the window reaches three times as far. `nil` measures
  /// how wide the edges of the map are and takes 0.6 up to 3.5 pixels, 2.4 from 5 pixels on: a wide
  /// ramp needs a window that reaches past it, a narrow one loses thin objects to it.
  public var sigmaSpatial: Float?
  /// Difference of colors in 0…1, for the filter and for upsampling above six times the map's size. Passes over
  /// a map with edges from 5 pixels on use 1.5 times as much, a line between, as upsampling does.
  public var sigmaRange: Float
  /// Difference of colors in 0…1, for upsampling. Wider than ``sigmaRange``: a pixel of the photo is compared with
  /// means of its pixels, so that fine texture is as far from all of them as from any.
  public var upsamplingSigma: Float
  /// Slope at which a pixel counts half: the share of its disparity by which the map changes over one
  /// pixel of the map.
  public var edgeTolerance: Float
  /// How much of what a Gaussian of one pixel takes away is added to the map beforehand, on maps with edges
  /// up to 3.5 pixels wide; six times as much from 5 pixels on, a line between. 0 for none.
  public var sharpening: Float
  /// How much of what a pass took away is given back after it, on maps with edges up to 3.5 pixels
  /// wide; none from 5 pixels on, where what is lost is the ramp itself. 0 for none.
  public var backProjection: Float
  /// How much the photo's edges count, 0…1. At 1 every edge of the photo counts, at 0 only broad shapes do. In
  /// between, an edge counts where the map has one too; the larger the number, the weaker that may be.
  /// Larger numbers give sharper edges, smaller ones flatter surfaces.
  public var detail: Float

  /// The ``detail`` that keeps edges and keeps the patterns of carpets and posters out of their depth.
  public static let defaultDetail: Float = 0.5

  /// The call that filters throws `DepthError` unless `passes` is 1…100, `sigmaSpatial` 0.0001…100,
  /// `sigmaRange` 0.0001…10 000, `edgeTolerance` 0.0001…10 000, `upsamplingSigma` 0.0001…10 000,
  /// `sharpening` and `backProjection` 0…100 and `detail` 0…1.
  public init(
    passes: Int = 3, sigmaSpatial: Float? = nil, sigmaRange: Float = 0.05,
    upsamplingSigma: Float = 0.07, edgeTolerance: Float = 0.1, sharpening: Float = 0.8,
    backProjection: Float = 1, detail: Float = defaultDetail
  ) {
    (self.passes, self.sigmaSpatial) = (passes, sigmaSpatial)
    (self.sigmaRange, self.upsamplingSigma) = (sigmaRange, upsamplingSigma)
    self.edgeTolerance = edgeTolerance
    (self.sharpening, self.backProjection) = (sharpening, backProjection)
    self.detail = detail
  }
}
