import DepthBase

extension DepthMask {
  /// The mask resized by cubic interpolation with repeated borders, clamped to 0…1.
  ///
  /// The kernel is Keys's cubic with `a = −0.75`, equal to Mitchell and Netravali's with `B = 0` and
  /// `C = 0.75`, the default of Core Image's bicubic scaling.
  ///
  /// > Source: R. Keys. “Cubic Convolution Interpolation for Digital Image Processing.” IEEE TASSP 29(6),
  /// > 1981, equation 4.
  func resizedBicubically(height newHeight: Int, width newWidth: Int, threads: Int) -> DepthMask {
    let rows = CubicTap.all(newHeight, from: height)
    let columns = CubicTap.all(newWidth, from: width)
    let values = unsafe filledThroughPointer(count: newHeight * newWidth) {
      (out: UnsafeMutablePointer<Float>) in
      unsafe self.values.withUnsafeBufferPointer { source in
        // Each chunk writes its own rows.
        nonisolated(unsafe) let (source, out) = unsafe (source, out)
        parallelFor(newHeight, grain: 16, threads: threads) { chunk in
          var line = [Float](repeating: 0, count: width)
          for y in chunk {
            let tap = rows[y]
            for x in 0..<width {
              var sum: Float = 0
              for k in 0..<4 { unsafe sum += tap.weight[k] * source[tap.index[k] * width + x] }
              line[x] = sum
            }
            for x in 0..<newWidth {
              let tap = columns[x]
              var sum: Float = 0
              for k in 0..<4 { sum += tap.weight[k] * line[tap.index[k]] }
              unsafe out[y * newWidth + x] = min(max(sum, 0), 1)
            }
          }
        }
      }
    }
    return DepthMask(height: newHeight, width: newWidth, values: values)
  }
}

/// The four samples around a position on an axis, and their weights.
private struct CubicTap: Sendable {
  let index: SIMD4<Int>
  let weight: SIMD4<Float>

  static func all(_ count: Int, from inputs: Int) -> [CubicTap] {
    (0..<count).map { output in
      let place = (Double(output) + 0.5) * Double(inputs) / Double(count) - 0.5
      let first = Int(place.rounded(.down)) - 1
      var (index, weight) = (SIMD4<Int>(), SIMD4<Float>())
      for k in 0..<4 {
        index[k] = min(max(first + k, 0), inputs - 1)
        weight[k] = Float(kernel(abs(place - Double(first + k))))
      }
      return CubicTap(index: index, weight: weight)
    }
  }

  private static func kernel(_ t: Double) -> Double {
    let a = -0.75
    return t < 1
      ? ((a + 2) * t - (a + 3)) * t * t + 1 : t < 2 ? ((a * t - 5 * a) * t + 8 * a) * t - 4 * a : 0
  }
}
