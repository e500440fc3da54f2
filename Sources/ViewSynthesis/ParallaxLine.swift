import DepthErrors
import DepthImages

/// Parallax as a linear function of disparity.
struct ParallaxLine {
  /// Whether the linear quantity is the reciprocal of the map's value.
  let isReciprocal: Bool
  /// Parallax in photo pixels, larger for nearer points: `v · scale + offset`.
  var scale, offset: Double
  /// The largest parallax in either direction, in photo pixels.
  var largest: Double

  /// Creates the function for ``StereoOptions/amount``.
  ///
  /// - Parameters:
  ///   - values: `height × width` values of the map without gaps.
  ///   - held: The film's smoothed range; by default the map's own range.
  /// - Throws: `DepthError`.
  init(
    of photo: Image, unit: DepthMap.Unit, range: ValueRange, values: [Float], height: Int,
    width: Int, options: StereoOptions, held: DepthSpan?
  ) throws {
    func middle(_ own: NormalizedDisparity) -> Double {
      // The center is not searched if the options specify the screen.
      held?.plane
        ?? (options.convergence == nil
          ? own.middleDepth(values, height: height, width: width) : own.near)
    }
    switch options.amount {
    case .shift(let shift):
      guard shift >= -Parallax.limit && shift <= Parallax.limit else {
        throw DepthError.shiftTooLarge(shift: shift, limit: Parallax.limit)
      }
      if unit == .relativeDisparity, options.linearIn == .metres {
        try unit.requireMetric(for: "parallax linear in metres")
      }
      let own = NormalizedDisparity(unit: unit, range: range, linearIn: options.linearIn)
      let normalization = own.held(by: held)
      let convergence = options.convergence ?? normalization.screen(at: middle(own))
      guard convergence >= 0 && convergence <= 1 else {
        throw DepthError.outOfRange(name: "convergence", value: convergence, expected: "0…1")
      }
      self.init(shift: shift, convergence: convergence, normalization, photoWidth: photo.width)
    case .metric(let metric):
      try unit.requireMetric(for: "metric stereo")
      let focalLength = try Camera(of: photo, focalLength: metric.focalLength).focalLength
      for (name, value, largest) in [
        ("baseline", metric.baseline, .greatestFiniteMagnitude),
        ("focal length", focalLength, .greatestFiniteMagnitude),
        ("screen distance", metric.screenDistance, Double.infinity),
      ] where !(value > 0 && value <= largest) {
        throw DepthError.outOfRange(name: name, value: value, expected: "more than 0")
      }
      let own = NormalizedDisparity(unit: unit, range: range)
      self.init(
        scale: focalLength * metric.baseline,
        screen: options.convergence == nil ? middle(own) : 1 / metric.screenDistance,
        own.held(by: held))
    }
  }

  /// At convergence 1/2, each view moves by shift · width · (2d − 1), and parallax is twice this distance.
  private init(
    shift: Double, convergence: Double, _ normalization: NormalizedDisparity, photoWidth: Int
  ) {
    let perUnit = 4 * shift * Double(photoWidth)
    isReciprocal = normalization.isReciprocal
    scale = perUnit * normalization.scale
    offset = perUnit * (normalization.offset - convergence)
    largest =
      normalization.isConstant
      ? abs(offset) : abs(perUnit) * max(convergence, 1 - convergence)
  }

  /// Creates the function for eyes at the camera and a screen at a disparity.
  private init(scale: Double, screen: Double, _ normalization: NormalizedDisparity) {
    isReciprocal = normalization.isReciprocal
    self.scale = scale
    offset = -scale * screen
    largest = max(
      abs(normalization.near * scale + offset), abs(normalization.far * scale + offset))
  }

  /// Scales down all parallax if the largest exceeds a limit.
  ///
  /// - Parameter share: The limit as a share of the width; `nil` for none.
  /// - Throws: `DepthError` with code `invalidArgument`.
  mutating func limit(to share: Double?, width: Int) throws {
    guard let share else { return }
    guard share > 0, share <= 1 else {
      throw DepthError.outOfRange(name: "largest parallax", value: share, expected: "0…1")
    }
    let factor = share * Double(width) / largest
    guard factor < 1 else { return }
    (scale, offset, largest) = (scale * factor, offset * factor, largest * factor)
  }

  /// Throws if points move farther than a view allows.
  ///
  /// - Throws: `DepthError` with code `invalidArgument`.
  func check(_ options: StereoOptions, width: Int) throws {
    guard StereoOptions.balances.contains(options.balance) else {
      throw DepthError.outOfRange(name: "balance", value: options.balance, expected: "0…1")
    }
    let moved = largest * max(options.balance, 1 - options.balance) / Double(width)
    guard moved <= Parallax.limit * (1 + 1e-9) else {
      if case .shift = options.amount {
        throw DepthError.shiftTooLarge(shift: moved, limit: Parallax.limit)
      }
      throw DepthError.parallaxTooLarge(parallax: moved, limit: Parallax.limit)
    }
    let largestInPixels = Double(WarpPlan.largestLimit) / 64 - 1
    guard largest <= largestInPixels else {
      throw DepthError.outOfRange(
        name: "parallax in pixels", value: largest, expected: "at most \(largestInPixels)")
    }
  }
}

extension NormalizedDisparity {
  /// The function with the film's smoothed range.
  fileprivate func held(by span: DepthSpan?) -> NormalizedDisparity {
    guard let span else { return self }
    return NormalizedDisparity(isReciprocal: isReciprocal, near: span.near, far: span.far)
  }

  /// The position of a linear quantity in the range, 0…1.
  fileprivate func screen(at linear: Double) -> Double {
    isConstant ? 0.5 : min(max(normalized(linear), 0), 1)
  }
}
