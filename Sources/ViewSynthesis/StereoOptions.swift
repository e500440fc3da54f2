import DepthErrors
public import DepthImages

/// Options for rendering a stereo pair from a photo and its depth.
///
/// ```swift
/// var options = StereoOptions()
/// options.amount = .shift(0.02)
/// let pair = try photo.stereoPair(depth: depth, options: options)
/// ```
public struct StereoOptions: Sendable, Hashable, Codable {
  /// The amount of parallax.
  public var amount: Amount = .shift(0.01)
  /// The depth at the plane of the screen, as a share of the map's range: 0 is the farthest point, 1 the nearest. At 0.5,
  /// the nearest point appears as far in front of the screen as the farthest point behind it. `nil` uses the depth of the
  /// photo's center, a median with the largest weights at the center. With ``Amount/metric(_:)``, a number has no effect,
  /// because ``MetricParallax/screenDistance`` replaces it; `nil` still uses the center.
  public var convergence: Double? = 0.5
  /// The division of the parallax between the views: 0 keeps the photo as the left view and synthesizes the right view, 1 keeps
  /// the photo as the right view, and 0.5 moves both views by half.
  public var balance = 0.5
  /// The unit in which ``Amount/shift(_:)`` is linear: disparity, as for two eyes, or metres. `.normalized` uses the map's
  /// numbers.
  public var linearIn: DepthMap.Unit = .disparity
  /// The widening of near surfaces at depth edges before the warp. `nil` means one pixel, plus one pixel to each side per 2000
  /// pixels of the map's width.
  public var edgeDilation: EdgeDilation?
  /// The colors of parts of a view that the photo does not show.
  public var holeFilling: HoleFilling = .blended
  /// The treatment of the left and right ends of the views, which extend beyond the photo.
  public var frameEdges: FrameEdges = .fill
  /// The algorithm that moves pixels.
  package var renderer: StereoRenderer = .orderedWarp
  /// The largest parallax between the views, as a share of the width. If the limit is exceeded, all parallax is scaled down.
  /// `nil` means no limit.
  package var largestParallax: Double?

  /// The default options.
  public init() {}

  /// Keys of the public settings; only these are stored.
  private enum CodingKeys: CodingKey {
    case amount, convergence, balance, linearIn, edgeDilation, holeFilling, frameEdges
  }

  /// The amount of parallax, in one of two forms.
  ///
  /// ```swift
  /// options.amount = .metric(MetricParallax(focalLength: .equivalent35mm(26), screenDistance: 2.5))
  /// ```
  public enum Amount: Sendable, Hashable, Codable {
    /// The largest movement of a point in each view at convergence 0.5, as a fraction of the photo's width. J. Zimandl's 1 % is
    /// 0.01.
    case shift(Double)
    /// The true parallax of a camera pair and a screen, for depth in metres.
    case metric(MetricParallax)
  }

  /// The widths by which nearer surfaces grow over farther surfaces, in depth pixels.
  ///
  /// ```swift
  /// options.edgeDilation = .init(across: 2, down: 1)
  /// ```
  public struct EdgeDilation: Sendable, Hashable, Codable {
    /// Accepted numbers of pixels in a request.
    package static let widths = 0...64

    /// Widths to each side and up and down, in pixels.
    public var across, down: Int

    /// Creates a dilation by numbers of pixels.
    public init(across: Int, down: Int) { (self.across, self.down) = (across, down) }

    /// No dilation.
    public static let off = EdgeDilation(across: 0, down: 0)

    /// One pixel, plus one pixel across per 2000 pixels of the map's width. Outlines in large photos are several pixels wide
    /// and mix the colors of both sides.
    package static func standard(width: Int) -> EdgeDilation {
      EdgeDilation(across: min(widths.upperBound, 1 + width / 2000), down: 1)
    }
  }

  /// The source of colors for pixels that the photo does not show.
  ///
  /// ```swift
  /// options.holeFilling = .stretched
  /// ```
  public enum HoleFilling: String, Sendable, Hashable, Codable, CaseIterable {
    /// The background beside the hole. The color is a mean over more rows for pixels farther from the hole's edge.
    case blended
    /// Repetitions of the background pixel at the hole's edge, as in J. Zimandl's method.
    case stretched
  }

  /// The treatment of the left and right ends of the views, which extend beyond the photo.
  ///
  /// ```swift
  /// options.frameEdges = .crop
  /// ```
  public enum FrameEdges: String, Sendable, Hashable, Codable, CaseIterable {
    /// The ends are filled like other holes, from the photo's edge.
    case fill
    /// Both views are cropped by all columns that may contain filled pixels.
    case crop
    /// Parallax falls to zero over the last sixteenth of the width, so the frame is in the plane of the screen.
    case flat
  }
}

extension StereoOptions {
  /// Shifts that eyes can follow, as fractions of the photo's width.
  package static let shifts = -Parallax.limit...Parallax.limit
  /// Accepted values of ``balance``.
  package static let balances = 0.0...1
  /// Accepted values of ``largestParallax`` in a request.
  package static let largestParallaxes = 0.0001...1
  /// Accepted numbers of views in a quilt or another sequence.
  package static let quiltViews = 2...400

  /// The same amount of parallax for the photo resized to another width.
  package func resized(from width: Int, to newWidth: Int) -> StereoOptions {
    guard case .metric(var metric) = amount else { return self }
    metric.focalLength = metric.focalLength.resized(from: width, to: newWidth)
    var options = self
    options.amount = .metric(metric)
    return options
  }
}

extension StereoOptions {
  /// For a negative shift, the options that give the same views in exchanged order; `nil` for other options.
  var ofSwappedViews: StereoOptions? {
    guard case .shift(let shift) = amount, shift < 0 else { return nil }
    var swapped = self
    (swapped.amount, swapped.balance) = (.shift(-shift), 1 - balance)
    return swapped
  }
}
