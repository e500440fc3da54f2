import DepthErrors
public import DepthImages

/// How a stereo pair is made from a photo and its depth.
///
/// ```swift
/// var options = StereoOptions()
/// options.amount = .shift(0.02)
/// let pair = try photo.stereoPair(depth: depth, options: options)
/// ```
public struct StereoOptions: Sendable, Hashable {
  /// How far points move.
  public var amount: Amount = .shift(0.01)
  /// The depth that lies in the plane of the screen, as a share of the map's range: 0 the farthest, 1 the nearest
  /// point, 0.5 so that the nearest point comes as far out as the farthest goes in. `nil` takes the subject's
  /// depth, the median depth, the middle of the photo counting most. Metric stereo takes its
  /// ``MetricParallax/screenDistance`` instead of a share.
  public var convergence: Double? = 0.5
  /// How the movement is divided: 0 keeps the photo as the left view and synthesizes the right one,
  /// 1 the other way round, 0.5 moves both by half.
  public var balance = 0.5
  /// The unit in which equal steps are equal steps of shift: disparity, as two eyes see, or metres.
  /// `.normalized` takes the map's numbers as they are. For ``Amount/shift(_:)`` only.
  public var linearIn: DepthMap.Unit = .disparity
  /// How far depth edges are moved outwards before the warp; `nil` for
  /// ``EdgeDilation/standard(width:)``.
  public var edgeDilation: EdgeDilation?
  /// What is shown where neither eye's photo has anything.
  public var holeFilling: HoleFilling = .blended
  /// What is shown where a view reaches past the photo's edge.
  public var frameEdges: FrameEdges = .fill
  /// How pixels are moved.
  public var renderer: StereoRenderer = .orderedWarp
  /// The largest parallax between the views, as a share of the width: where there would be more, all of it becomes
  /// less. `nil` without a limit.
  package var largestParallax: Double?
  /// Threads to use, 1…256; `nil` for one per processor. The result is the same for any number.
  public var threads: Int?

  /// The default options.
  public init() {}

  /// The two ways to say how much.
  ///
  /// ```swift
  /// options.amount = .metric(MetricParallax(focalLength: .equivalent35mm(26), screenDistance: 2.5))
  /// ```
  public enum Amount: Sendable, Hashable {
    /// The largest movement of a point in each view at convergence 0.5, as a fraction of the
    /// photo's width: 0.01 is J. Zimandl's 1 %.
    case shift(Double)
    /// The true parallax of a camera pair and a screen, for depth in metres.
    case metric(MetricParallax)
  }

  /// Widths, in depth pixels, by which nearer surfaces grow over farther ones.
  ///
  /// ```swift
  /// options.edgeDilation = .init(across: 2, down: 1)
  /// ```
  public struct EdgeDilation: Sendable, Hashable {
    /// Pixels to each side, and up and down.
    public var across, down: Int

    /// Dilation by so many pixels.
    public init(across: Int, down: Int) { (self.across, self.down) = (across, down) }

    /// No dilation.
    public static let off = EdgeDilation(across: 0, down: 0)

    /// A pixel, and one more across for every 2000 pixels of the map's width: outlines in photos of
    /// many pixels are softer than a pixel, and their rim is a mixture of both sides.
    public static func standard(width: Int) -> EdgeDilation {
      EdgeDilation(across: min(64, 1 + width / 2000), down: 1)
    }
  }

  /// Where colors of pixels that the photo does not show come from.
  ///
  /// ```swift
  /// options.holeFilling = .stretched
  /// ```
  public enum HoleFilling: String, Sendable, Hashable, CaseIterable {
    /// The background beside the hole, averaged over more rows with the distance from its edge.
    case blended
    /// The background pixel at the hole's edge, repeated: J. Zimandl's rule.
    case stretched
  }

  /// The treatment of the left and right end of the frame, where views look past the photo.
  ///
  /// ```swift
  /// options.frameEdges = .crop
  /// ```
  public enum FrameEdges: String, Sendable, Hashable, CaseIterable {
    /// Filled like other holes, from the photo's rim.
    case fill
    /// Both views lose the columns that any row might have to invent.
    case crop
    /// Parallax falls to zero over the last sixteenth of the width, so that the frame lies in the
    /// plane of the screen.
    case flat
  }
}

/// The parallax of real eyes or cameras in front of a real screen.
///
/// A point at depth `Z` gets the parallax `f · B · (1/Zc − 1/Z)` pixels between right and left
/// view: zero at the screen, towards `f · B / Zc` far beyond it.
///
/// ```swift
/// let parallax = MetricParallax(baseline: 0.063, focalLength: .fieldOfView(63), screenDistance: 3)
/// ```
public struct MetricParallax: Sendable, Hashable {
  /// Distance between the eyes, metres.
  public var baseline: Double
  /// The camera that took the photo.
  public var focalLength: Camera.FocalLength
  /// Distance `Zc` of the plane without parallax, metres.
  public var screenDistance: Double

  /// The parallax of eyes `baseline` metres apart, 63 mm by default.
  public init(baseline: Double = 0.063, focalLength: Camera.FocalLength, screenDistance: Double) {
    self.baseline = baseline
    self.focalLength = focalLength
    self.screenDistance = screenDistance
  }
}

/// The algorithm that moves pixels.
///
/// ```swift
/// options.renderer = .gather
/// ```
public enum StereoRenderer: String, Sendable, Hashable, CaseIterable {
  /// Ordered forward warp with sub-pixel positions and filled holes: the default.
  case orderedWarp = "ordered-warp"
  /// J. Zimandl's search: every target looks along its row for the pixel that lands on it.
  case gather
  /// J. Zimandl's first scan-line idea, whole pixels only: one loop moves pixels, comparing depths, and another
  /// fills each gap from the more distant of its two ends.
  case shiftAndFix = "scanline-shiftAndFix"
  /// Its second idea: gaps are filled in the same loop, which still compares depths.
  case gapsInOneLoop = "scanline-gapsInOneLoop"
  /// Its third idea: front pixels come last and simply overwrite.
  case frontPixelLast = "scanline-frontPixelLast"
}
