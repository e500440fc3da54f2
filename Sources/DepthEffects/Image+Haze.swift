import DepthBase
import DepthErrors
public import DepthImages
import SystemEssentials

/// Accepted amounts of haze.
package enum Haze {
  /// β, per metre.
  package static let densities = 0.0...100
  /// Shares of light that the farthest point loses.
  package static let strengths = 0.0...1
}

extension Image {
  /// The photo in haze: light fades with distance and is replaced by the color of the air.
  ///
  /// A point at `Z` metres with the light `J` appears as `I = J · t + A · (1 − t)` in linear light. `t = e^(−βZ)` is the
  /// transmitted share of the light, and `A` is the color of the air.
  ///
  /// > Source: H. Koschmieder. “Theorie der horizontalen Sichtweite.” 1924; S. G. Narasimhan, S. K. Nayar.
  /// > “Vision and the Atmosphere.” IJCV 48(3), 2002, equation 8.
  ///
  /// - Parameters:
  ///   - depth: Depth of the photo in metres or disparity, of any size; gaps are filled.
  ///   - density: β, per metre, 0…100.
  ///   - color: Red, green and blue of the air, sRGB 0…255.
  ///   - threads: Number of threads, 1…256; `nil` for one per processor. The number does not change the result.
  /// - Throws: `DepthError` if the proportions of the map do not fit the photo, the map is neither in metres nor in disparity
  ///   or has no value, or the density is out of range.
  public func haze(
    depth: DepthMap, density: Double = 0.3,
    color: SIMD3<UInt8> = SIMD3(214, 220, 226),
    threads: Int? = nil
  ) throws -> Image {
    let threads = try ThreadCount.checked(threads)
    try density.checked(in: Haze.densities, "the haze's density", "0 to 100 per metre")
    try depth.unit.requireMetric(for: "haze without a strength")
    let sized = try depth.sized(for: self, threads: threads)
    _ = try Disparity(of: sized, threads: threads)
    let metres = try sized.filled(for: self, threads: threads)
    let isReciprocal = metres.unit == .disparity
    let beta = Float(density)
    return hazed(metres.values, color: color, threads: threads) { value in
      exp(-beta * min(isReciprocal ? 1 / value : value, .greatestFiniteMagnitude))
    }
  }

  /// The photo in haze, for depth in any unit, including relative disparity.
  ///
  /// `I = J · t + A · (1 − t)` in linear light with `t = (1 − strength)^(1 − d)`, where `d` is normalized disparity: 0 at the
  /// farthest and 1 at the nearest point. The nearest point loses no light; the farthest point loses the share `strength`.
  ///
  /// - Parameters:
  ///   - depth: Depth of the photo in any unit, of any size; gaps are filled.
  ///   - strength: The share of light lost by the farthest point, 0…1.
  ///   - color: Red, green and blue of the air, sRGB 0…255.
  ///   - threads: Number of threads, 1…256; `nil` for one per processor. The number does not change the result.
  /// - Throws: `DepthError` if the proportions of the map do not fit the photo, the map has no value, or the strength is out
  ///   of range.
  public func haze(
    depth: DepthMap, strength: Double,
    color: SIMD3<UInt8> = SIMD3(214, 220, 226),
    threads: Int? = nil
  ) throws -> Image {
    try haze(
      depth: depth, strength: strength, color: color, held: nil,
      threads: ThreadCount.checked(threads))
  }

  /// - Parameter held: The film's smoothed range, which replaces the map's own range.
  package func haze(
    depth: DepthMap, strength: Double,
    color: SIMD3<UInt8> = SIMD3(214, 220, 226), held: DepthSpan?,
    threads: Int
  ) throws -> Image {
    try strength.checked(in: Haze.strengths, "the haze's strength", "0 to 1")
    let sized = try depth.sized(for: self, threads: threads)
    let disparity = try Disparity(of: sized, held: held, threads: threads)
    let filled = try sized.filled(for: self, threads: threads)
    let range = disparity.near - disparity.far
    // A constant map is at the middle of its range, as in masks.
    let line =
      disparity.isConstant
      ? disparity.line(scale: 0, shift: 0.5)
      : disparity.line(scale: 1 / range, shift: -disparity.far / range)
    let (isReciprocal, loss) = (disparity.isReciprocal, Float(log(max(1 - strength, 1e-6))))
    return hazed(filled.values, color: color, threads: threads) { value in
      let unscaled = min(isReciprocal ? 1 / value : value, .greatestFiniteMagnitude)
      let near = line.slope * unscaled + line.intercept
      return exp(loss * (1 - min(max(near, 0), 1)))
    }
  }

  /// Mixes the color of the air into each pixel.
  ///
  /// - Parameter share: The transmitted share of light, by the map's value.
  private func hazed(
    _ values: [Float], color: SIMD3<UInt8>, threads: Int,
    share: @Sendable (Float) -> Float
  ) -> Image {
    unsafe SRGB.linear.withUnsafeBufferPointer { linear in
      unsafe SRGB.coded.withUnsafeBufferPointer { coded in
        nonisolated(unsafe) let (linear, coded) = (linear.baseAddress!, coded.baseAddress!)
        let air = unsafe SIMD3(
          linear[Int(color.x)], linear[Int(color.y)], linear[Int(color.z)])
        return unsafe mapped(values, threads: threads) { source, value, out in
          let share = share(value)
          for channel in 0..<3 {
            let light = unsafe air[channel] + (linear[Int(source[channel])] - air[channel]) * share
            unsafe out[channel] = unsafe coded[Int(light * SRGB.steps + 0.5)]
          }
        }
      }
    }
  }
}
