/// Convolutions of 8-bit codes with 64-bit integers, and their epilogue one operation at a time: what the fast ones
/// equal to the bit.
public enum ReferenceCodeConvolution {
  /// A map of codes, channels last, with the code of zero around it.
  public struct Map: Sendable {
    public var height, width, channels: Int
    public var codes: [UInt8]
    public var zeroPoint: Int

    public init(height: Int, width: Int, channels: Int, codes: [UInt8], zeroPoint: Int) {
      (self.height, self.width, self.channels) = (height, width, channels)
      (self.codes, self.zeroPoint) = (codes, zeroPoint)
    }

    /// The code's distance from zero.
    public subscript(y: Int, x: Int, c: Int) -> Int {
      guard y >= 0, y < height, x >= 0, x < width else { return 0 }
      return Int(codes[(y * width + x) * channels + c]) - zeroPoint
    }
  }

  /// Σ kernel[o, c, i, j] · x[y·stride + i − top, x·stride + j − left, c].
  ///
  /// - Parameter kernel: OIHW.
  public static func sum(
    _ map: Map, kernel: [Int8], output o: Int, y: Int, x: Int, kernelHeight: Int, kernelWidth: Int,
    stride: Int, top: Int, left: Int
  ) -> Int {
    var sum = 0
    for c in 0..<map.channels {
      for i in 0..<kernelHeight {
        for j in 0..<kernelWidth {
          let k = ((o * map.channels + c) * kernelHeight + i) * kernelWidth + j
          sum += Int(kernel[k]) * map[y * stride + i - top, x * stride + j - left, c]
        }
      }
    }
    return sum
  }

  /// A value before it is bounded: every operation is rounded by itself.
  public static func value(
    sum: Int, multiplier: Float, offset: Float, residual: (code: UInt8, step: Float)?
  ) -> Float {
    var y = Float(sum) * multiplier
    y = y + offset
    if let residual {
      let added = Float(residual.code) * residual.step
      y = y + added
    }
    return y
  }

  /// The nearest code of a value, ties to even.
  public static func code(_ value: Float, lowerBound: Float) -> UInt8 {
    UInt8(min(max(value, lowerBound), 255).rounded(.toNearestOrEven))
  }
}
