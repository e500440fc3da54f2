/// Convolutions of 8-bit quantized values in 64-bit integers. The epilogue rounds every operation.
/// Fast convolutions give equal bits.
public enum ReferenceQuantizedConvolution {
  /// A quantized map, channels last, whose border is the zero point.
  public struct Map: Sendable {
    public var height, width, channels: Int
    public var quantized: [UInt8]
    public var zeroPoint: Int

    public init(height: Int, width: Int, channels: Int, quantized: [UInt8], zeroPoint: Int) {
      (self.height, self.width, self.channels) = (height, width, channels)
      (self.quantized, self.zeroPoint) = (quantized, zeroPoint)
    }

    /// The value minus the zero point.
    public subscript(y: Int, x: Int, c: Int) -> Int {
      guard y >= 0, y < height, x >= 0, x < width else { return 0 }
      return Int(quantized[(y * width + x) * channels + c]) - zeroPoint
    }
  }

  /// Σ kernel[o, c, i, j] · x[y·stride + i − top, x·stride + j − left, c].
  ///
  /// - Parameter kernel: Output channels × input channels × rows × columns.
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

  /// A value before the activation's bounds apply. Every operation is rounded separately.
  public static func value(
    sum: Int, multiplier: Float, offset: Float, residual: (quantized: UInt8, scale: Float)?
  ) -> Float {
    var y = Float(sum) * multiplier
    y = y + offset
    if let residual {
      let added = Float(residual.quantized) * residual.scale
      y = y + added
    }
    return y
  }

  /// The nearest quantized value. Ties are rounded to even.
  public static func quantized(_ value: Float, lowerBound: Float) -> UInt8 {
    UInt8(min(max(value, lowerBound), 255).rounded(.toNearestOrEven))
  }
}
