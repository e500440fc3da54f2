import DepthErrors
import DepthImages

/// A depth map made ready for a photo: every pixel has a value, and parallax is linear in it.
struct Parallax {
  /// `height · width` values without gaps.
  var values: [Float]
  var height, width: Int
  /// Whether the linear quantity is the reciprocal of the value.
  var reciprocal: Bool
  /// Parallax in photo pixels, nearer larger: `v · scale + offset`.
  var scale, offset: Double
  /// The largest parallax either way, in photo pixels.
  var largest: Double
  /// The step of parallax from which neighbors are an edge, in photo pixels.
  var edgeStep = 1.0
  /// How far edges are moved outwards, in pixels of the map.
  var edgeDilation: StereoOptions.EdgeDilation

  /// The largest movement of a point in one view, as a fraction of the width.
  static let limit = 0.25

  /// - Parameter held: The range that a film holds; the map's own by default.
  /// - Throws: `DepthError`.
  init(
    of photo: Image, depth: DepthMap, options: StereoOptions, held: DepthSpan? = nil, threads: Int
  ) throws {
    try depth.checkAspect(of: photo, within: DepthMap.aspectTolerance)
    guard let range = depth.valueRange(threads: threads) else {
      throw DepthError.noDepth(width: depth.width, height: depth.height)
    }

    (height, width) = (depth.height, depth.width)
    values =
      range.missing == 0
      ? depth.values
      : fillingMissingDepth(
        depth.values, height: height, width: width, unit: depth.unit, threads: threads)

    switch options.amount {
    case .shift(let shift):
      guard shift >= -Self.limit && shift <= Self.limit else {
        throw DepthError.shiftTooLarge(shift: shift, limit: Self.limit)
      }
      if depth.unit == .relativeDisparity, options.linearIn == .metres {
        try depth.unit.requireMetric(for: "parallax linear in metres")
      }
      let own = NormalizedDisparity(
        unit: depth.unit, range: range, linearIn: options.linearIn)
      let normalization = own.held(by: held)
      let subject = held?.subject ?? own.subjectDepth(options, values, height, width)
      let convergence = options.convergence ?? normalization.screen(at: subject)
      guard convergence >= 0 && convergence <= 1 else {
        throw DepthError.outOfRange(name: "convergence", value: convergence, expected: "0…1")
      }
      // Each view moves by shift · width · (2d − 1) at convergence 1/2, so both by twice that.
      let perUnit = 4 * shift * Double(photo.width)
      reciprocal = normalization.isReciprocal
      scale = perUnit * normalization.scale
      offset = perUnit * (normalization.offset - convergence)
      largest =
        normalization.isConstant
        ? abs(offset) : abs(perUnit) * max(convergence, 1 - convergence)

    case .metric(let metric):
      try depth.unit.requireMetric(for: "metric stereo")
      let focalLength = try Camera(of: photo, focalLength: metric.focalLength).focalLength
      for (name, value) in [
        ("baseline", metric.baseline), ("focal length", focalLength),
        ("screen distance", metric.screenDistance),
      ] where !(value > 0 && value.isFinite) {
        throw DepthError.outOfRange(name: name, value: value, expected: "more than 0")
      }
      let own = NormalizedDisparity(unit: depth.unit, range: range)
      let normalization = own.held(by: held)
      let screen =
        options.convergence == nil
        ? held?.subject ?? own.subjectDepth(options, values, height, width)
        : 1 / metric.screenDistance
      reciprocal = normalization.isReciprocal
      scale = focalLength * metric.baseline
      offset = -scale * screen
      largest = max(
        abs(normalization.near * scale + offset), abs(normalization.far * scale + offset))
    }

    edgeDilation = options.edgeDilation ?? .standard(width: depth.width)
    try limit(to: options.largestParallax, width: photo.width)
    guard options.balance >= 0 && options.balance <= 1 else {
      throw DepthError.outOfRange(name: "balance", value: options.balance, expected: "0…1")
    }
    let moved = largest * max(options.balance, 1 - options.balance) / Double(photo.width)
    guard moved <= Self.limit * (1 + 1e-9) else {
      if case .shift = options.amount {
        throw DepthError.shiftTooLarge(shift: moved, limit: Self.limit)
      }
      throw DepthError.parallaxTooLarge(parallax: moved, limit: Self.limit)
    }
    let largestInPixels = Double(WarpPlan.largestLimit) / 64 - 1
    guard largest <= largestInPixels else {
      throw DepthError.outOfRange(
        name: "parallax in pixels", value: largest, expected: "at most \(largestInPixels)")
    }
    for side in [edgeDilation.across, edgeDilation.down]
    where !(0...64).contains(side) {
      throw DepthError.outOfRange(
        name: "edge dilation", value: Double(side), expected: "0…64 pixels")
    }
  }
}

extension Parallax {
  /// Reduces all parallax alike, where the largest is more than the eyes should be asked for.
  ///
  /// - Parameter share: Of the width; `nil` without a limit.
  /// - Throws: `DepthError` with code `invalidArgument`.
  private mutating func limit(to share: Double?, width: Int) throws {
    guard let share else { return }
    guard share > 0, share <= 1 else {
      throw DepthError.outOfRange(name: "largest parallax", value: share, expected: "0…1")
    }
    let factor = share * Double(width) / largest
    guard factor < 1 else { return }
    (scale, offset, largest) = (scale * factor, offset * factor, largest * factor)
  }
}

extension NormalizedDisparity {
  /// The same with the range that a film holds.
  fileprivate func held(by span: DepthSpan?) -> NormalizedDisparity {
    guard let span else { return self }
    return NormalizedDisparity(isReciprocal: isReciprocal, near: span.near, far: span.far)
  }

  /// The subject's linear quantity; not looked for where the options name the screen.
  fileprivate func subjectDepth(
    _ options: StereoOptions, _ values: [Float], _ height: Int, _ width: Int
  ) -> Double {
    options.convergence == nil ? subjectDepth(values, height: height, width: width) : near
  }

  /// The share of the range at which a linear quantity lies, 0…1.
  fileprivate func screen(at linear: Double) -> Double {
    isConstant ? 0.5 : min(max(normalized(linear), 0), 1)
  }
}
