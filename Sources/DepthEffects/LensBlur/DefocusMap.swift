import DepthBase
import DepthImages

/// The signed radius of every pixel's circle of confusion in steps of a fraction of a pixel: positive in
/// front of the focus, negative behind it.
struct DefocusMap: Sendable {
  let height, width: Int
  /// Pixels per level.
  let step: Double
  /// Row by row.
  let levels: [Int16]
  /// The largest magnitude of a level.
  let largest: Int

  /// Eighths of a pixel, and coarser steps where that would make more than 160 sizes of discs.
  static func step(largestRadius: Double) -> Double { max(0.125, largestRadius / 160) }

  init(height: Int, width: Int, step: Double, levels: [Int16]) {
    (self.height, self.width, self.step, self.levels) = (height, width, step, levels)
    largest = levels.reduce(0) { max($0, abs(Int($1))) }
  }

  /// - Parameters:
  ///   - depth: A map without gaps.
  ///   - pixels: Radius per unit of disparity.
  ///   - focus: Disparity without blur.
  init(of depth: DepthMap, _ disparity: Disparity, pixels: Double, focus: Double, threads: Int) {
    let radius = pixels * max(abs(disparity.near - focus), abs(disparity.far - focus))
    let step = Self.step(largestRadius: radius)
    let line = disparity.line(scale: pixels / step, shift: -pixels / step * focus)
    let limit = Float(radius / step + 1)
    let isReciprocal = disparity.isReciprocal
    let levels = unsafe filledThroughPointer(count: depth.values.count) {
      (out: UnsafeMutablePointer<Int16>) in
      unsafe depth.values.withUnsafeBufferPointer { values in
        // Each chunk writes its own part.
        nonisolated(unsafe) let (values, out) = unsafe (values, out)
        parallelForStrided(depth.values.count, grain: 1 << 16, threads: threads) { range in
          for i in range {
            let u = unsafe isReciprocal ? 1 / values[i] : values[i]
            let level = (u * line.slope + line.intercept).rounded()
            // The nearest numbers that there are have no finite reciprocal.
            unsafe out[i] = Int16(level > -limit ? (level < limit ? level : limit) : -limit)
          }
        }
      }
    }
    self.init(height: depth.height, width: depth.width, step: step, levels: levels)
  }
}
