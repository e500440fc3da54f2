/// The settings for warping a photo to two views.
///
/// Parallax is the distance between the two images of one point, left minus right, in 1/64 pixel:
/// `v · scale + offset`, where `v` is a depth value or its reciprocal. Points in front of the
/// screen have positive parallax, so nearer pixels always have larger numbers.
package struct WarpPlan: Sendable {
  /// Whether `v` is the reciprocal of the depth value.
  package var reciprocal: Bool
  package var scale, offset: Float
  /// Largest parallax in either direction, in 1/64 pixel. Larger parallax is clamped.
  package var limit: Float
  /// The left eye's share of the parallax in 1/256; the right eye has the remainder. At 0 the photo is the
  /// left view, at 256 the right view.
  package var leftShare: Int
  /// The distance of neighbors' targets above which the neighbors are separated, in 1/64 pixel.
  package var stretch: Int
  /// The widening of depth edges in depth pixels, and the smallest step of parallax, in 1/64 pixel,
  /// that counts as an edge.
  package var wideningAcross, wideningDown, wideningStep: Int
  /// Columns at both sides of the frame over which parallax falls to zero.
  package var taper: Int
  package var filling: StereoOptions.HoleFilling
  /// Parallax per level of ``WarpedView/parallax``, in 1/64 pixel; 0 to omit the levels.
  var parallaxStep = 0

  /// The limit above which single-precision rounding is not exact.
  static let largestLimit = Float(1 << 22)

  package init(
    reciprocal: Bool, scale: Float, offset: Float, limit: Float, leftShare: Int, stretch: Int = 128,
    wideningAcross: Int = 0, wideningDown: Int = 0, wideningStep: Int = 64, taper: Int = 0,
    filling: StereoOptions.HoleFilling = .blended
  ) {
    precondition(
      limit >= 0 && limit <= Self.largestLimit,
      "parallax limit \(limit) / 64 px, expected at most \(Self.largestLimit)")
    precondition((0...256).contains(leftShare), "left share \(leftShare) / 256")
    precondition(stretch >= 64 && stretch <= 1024, "stretch \(stretch), expected 64...1024")
    precondition(wideningAcross >= 0 && wideningDown >= 0 && taper >= 0)
    self.reciprocal = reciprocal
    (self.scale, self.offset, self.limit) = (scale, offset, limit)
    (self.leftShare, self.stretch) = (leftShare, stretch)
    (self.wideningAcross, self.wideningDown) = (wideningAcross, wideningDown)
    (self.wideningStep, self.taper, self.filling) = (wideningStep, taper, filling)
  }

  /// Pixels beyond both ends of a row that a shifted pixel can reach.
  var margin: Int { Int(limit) * max(leftShare, 256 - leftShare) / 256 / 64 + 3 }
}
