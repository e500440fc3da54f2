/// Convolutions by their formulas in 64-bit floats, as references for the fast convolutions.
public enum ReferenceConvolution {
  /// A map in `height × width × channels` order.
  public struct Map: Sendable {
    public var height, width, channels: Int
    public var elements: [Double]

    public init(height: Int, width: Int, channels: Int, elements: [Double]) {
      (self.height, self.width, self.channels) = (height, width, channels)
      self.elements = elements
    }

    public subscript(y: Int, x: Int, c: Int) -> Double {
      guard y >= 0, y < height, x >= 0, x < width else { return 0 }
      return elements[(y * width + x) * channels + c]
    }
  }

  /// Σ kernel[o, c, i, j] · x[y·stride + i − top, x·stride + j − left, c] + bias[o].
  ///
  /// - Parameter kernel: Output channels × input channels × rows × columns.
  public static func convolved(
    _ map: Map, kernel: [Float], kernelHeight: Int, kernelWidth: Int, stride: Int = 1,
    top: Int, left: Int, outputHeight: Int, outputWidth: Int, bias: [Float]
  ) -> Map {
    var result = Map(
      height: outputHeight, width: outputWidth, channels: bias.count,
      elements: [Double](repeating: 0, count: outputHeight * outputWidth * bias.count))
    for y in 0..<outputHeight {
      for x in 0..<outputWidth {
        for o in 0..<bias.count {
          var sum = Double(bias[o])
          for c in 0..<map.channels {
            for i in 0..<kernelHeight {
              for j in 0..<kernelWidth {
                let k = ((o * map.channels + c) * kernelHeight + i) * kernelWidth + j
                sum += Double(kernel[k]) * map[y * stride + i - top, x * stride + j - left, c]
              }
            }
          }
          result.elements[(y * outputWidth + x) * bias.count + o] = sum
        }
      }
    }
    return result
  }
}
