import DepthBase
import DepthImages

/// The signed radius of every pixel's circle of confusion, in fractions of a pixel: positive in front of the
/// focus, negative behind it.
struct DefocusMap: Sendable {
  let height, width: Int
  /// Pixels per level.
  let step: Double
  /// Row by row.
  let levels: [Int16]
  /// The largest magnitude of a level.
  let largest: Int

  /// Pixels per level: an eighth of a pixel, or more to limit the number of disc sizes to 160.
  static func step(largestRadius: Double) -> Double { max(0.125, largestRadius / 160) }

  init(height: Int, width: Int, step: Double, levels: [Int16]) {
    (self.height, self.width, self.step, self.levels) = (height, width, step, levels)
    largest = levels.reduce(0) { max($0, abs(Int($1))) }
  }

  /// - Parameters:
  ///   - depth: A map without gaps.
  ///   - pixels: Radius per unit of disparity.
  ///   - focus: Disparity without blur.
  ///   - largest: The maximum radius in pixels. Larger radii are clamped.
  init(
    of depth: DepthMap, _ disparity: Disparity, pixels: Double, focus: Double,
    largest: Double = .infinity, isa: InstructionSet = .current, threads: Int
  ) {
    let farthest = max(abs(disparity.near - focus), abs(disparity.far - focus))
    let radius = min(pixels * farthest, largest)
    let step = Self.step(largestRadius: radius)
    let line = disparity.line(scale: pixels / step, shift: -pixels / step * focus)
    let limit = Float(min(radius / step + 1, largest / step))
    let isReciprocal = disparity.isReciprocal
    let kernels = EffectKernels(isa)
    let levels: [Int16] = filledRows(
      height: depth.height, width: depth.width, grain: 32, strided: true, threads: threads
    ) { rows, out in
      kernels.defocusLevels(
        of: depth.values.span.extracting(
          rows.lowerBound * depth.width..<rows.upperBound * depth.width),
        reciprocal: isReciprocal, slope: line.slope, intercept: line.intercept, limit: limit,
        into: &out)
    }
    self.init(height: depth.height, width: depth.width, step: step, levels: levels)
  }
}
