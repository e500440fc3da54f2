import DepthBase
import DepthErrors
public import DepthImages
import DepthRefinement

extension Image {
  /// A mask that is 1 at one depth and falls to 0 in front of and behind this depth.
  ///
  /// - Parameters:
  ///   - depth: Depth of the photo, of any size.
  ///   - focus: The depth at which the mask is 1.
  ///   - shape: Slope, width and scaling; see `FocusMask`.
  ///   - threads: Number of threads, 1…256; `nil` for one per processor. The number does not change the result.
  /// - Returns: A mask of the photo's size, 0 for pixels without depth. In a constant map, every pixel has the
  ///   normalized disparity 0.5.
  /// - Throws: `DepthError` if the proportions of the map do not fit the photo, the focus is outside the map's range,
  ///   the focus is in metres but the map is neither in metres nor in disparity, or the focus is a point outside the
  ///   photo or without a value.
  public func focusMask(
    depth: DepthMap, focus: DepthFocus, shape: FocusMask = FocusMask(), threads: Int? = nil
  ) throws -> DepthMask {
    try focusMask(
      depth: depth, focus: focus, shape: shape, isLens: false,
      threads: ThreadCount.checked(threads))
  }

  /// - Parameters:
  ///   - held: The film's smoothed span, instead of the map's own range and focus.
  ///   - isLens: Whether a distance may be outside the map's range, with a mask of 0.
  package func focusMask(
    depth: DepthMap, focus: DepthFocus, shape: FocusMask, held: DepthSpan? = nil, isLens: Bool,
    threads: Int
  ) throws -> DepthMask {
    try shape.check()
    if shape.scaling == .bicubic, (depth.height, depth.width) != (height, width) {
      try depth.checkAspect(of: self, within: DepthMap.aspectTolerance)
      let focus = focus.scaled(fromHeight: height, width: width, to: depth)
      return try shape.mask(
        of: depth, focus: focus, held: held, isLens: isLens, threads: threads
      )
      .resizedBicubically(height: height, width: width, threads: threads)
    }
    return try shape.mask(
      of: depth.sized(for: self, threads: threads), focus: focus, held: held, isLens: isLens,
      threads: threads)
  }
}

extension DepthFocus {
  /// The focus with its point scaled from the photo to a map of another size.
  package func scaled(fromHeight height: Int, width: Int, to depth: DepthMap) -> DepthFocus {
    guard case .point(let x, let y) = self, (0..<width).contains(x), (0..<height).contains(y)
    else { return self }
    return .point(
      x: (2 * x + 1) * depth.width / (2 * width), y: (2 * y + 1) * depth.height / (2 * height))
  }
}

extension FocusMask {
  /// The mask at the map's own size.
  fileprivate func mask(
    of depth: DepthMap, focus: DepthFocus, held: DepthSpan?, isLens: Bool, threads: Int
  ) throws -> DepthMask {
    let disparity = try Disparity(of: depth, held: held, threads: threads)
    if case .range(let range) = focus {
      return try range.mask(of: depth, disparity, mayBeEmpty: isLens, threads: threads)
    }
    let focused = try focus.disparity(in: depth, disparity, held: held, isLens: isLens)
    let range = disparity.near - disparity.far
    let isConstant = disparity.isConstant
    // slope · (d − f); a constant map is 0.5 of its range, as in ``DepthMap/normalized(near:over:)``.
    var offset = 0.0
    if isConstant {
      if case .normalized(let share) = focus { offset = slope * (0.5 - share) }
    }
    let line = disparity.line(
      scale: isConstant ? 0 : slope / range,
      shift: isConstant ? offset : -slope * focused / range)
    return MaskRamp(
      isReciprocal: disparity.isReciprocal, slope: line.slope, intercept: line.intercept,
      height: Float(height),
      low: depth.unit.valuesWithDepth.lowerBound
    ).mask(of: depth, threads: threads)
  }
}

/// A function from a value of a map to the mask at its pixel.
protocol DepthRamp: Sendable {
  func mask(_ v: Lanes) -> Lanes
}

extension DepthRamp {
  typealias Lanes = SIMD8<Float>

  func mask(of depth: DepthMap, threads: Int) -> DepthMask {
    let values = unsafe filledThroughPointer(count: depth.values.count) {
      (out: UnsafeMutablePointer<Float>) in
      unsafe depth.values.withUnsafeBufferPointer { values in
        // Each chunk writes its own part of the mask.
        nonisolated(unsafe) let (values, out) = unsafe (values.baseAddress!, out)
        parallelForStrided(depth.values.count, grain: 1 << 16, threads: threads) { range in
          unsafe run(values + range.lowerBound, out + range.lowerBound, count: range.count)
        }
      }
    }
    return DepthMask(height: depth.height, width: depth.width, values: values)
  }

  private func run(_ values: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>, count: Int) {
    let whole = count / 8 * 8
    let source = unsafe UnsafeRawPointer(values)
    let target = UnsafeMutableRawPointer(out)
    for i in stride(from: 0, to: whole, by: 8) {
      let v = unsafe source.loadUnaligned(fromByteOffset: i * 4, as: Lanes.self)
      unsafe target.storeBytes(of: mask(v), toByteOffset: i * 4, as: Lanes.self)
    }
    for i in whole..<count { unsafe out[i] = unsafe mask(Lanes(repeating: values[i]))[0] }
  }
}

/// `height − |slope · v + intercept|` clamped to 0…1, where `v` is a value or its reciprocal; 0 for a missing value.
private struct MaskRamp: DepthRamp {
  let isReciprocal: Bool
  let slope, intercept, height: Float
  /// The lowest valid value.
  let low: Float

  @inline(__always)
  func mask(_ v: Lanes) -> Lanes {
    let u = isReciprocal ? 1 / v : v
    let distance = u * slope + intercept
    let magnitude = distance.replacing(with: -distance, where: distance .< 0)
    let raised = (height - magnitude).clamped(
      lowerBound: Lanes(repeating: 0), upperBound: Lanes(repeating: 1))
    // The comparisons exclude NaN and the smallest numbers, whose reciprocals are infinite.
    let counts = (v .>= low) .& (v .<= .greatestFiniteMagnitude) .& (magnitude .< .infinity)
    return Lanes(repeating: 0).replacing(with: raised, where: counts)
  }
}
