/// Depthwise convolutions by their formulas, as references for the fast convolutions.
public enum ReferenceDepthwise {
  /// Σ kernel[c, i, j] · x[y·stride + i − p, x·stride + j − p, c] + bias[c] with p = (size − 1) / 2, in 64-bit floats.
  ///
  /// - Parameter kernel: Channels × size × size.
  public static func convolved(
    _ map: ReferenceConvolution.Map, kernel: [Float], size: Int, stride: Int, bias: [Float]
  ) -> ReferenceConvolution.Map {
    let (height, width) = ((map.height - 1) / stride + 1, (map.width - 1) / stride + 1)
    var result = ReferenceConvolution.Map(
      height: height, width: width, channels: map.channels, elements: [])
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<map.channels {
          var sum = Double(bias[c])
          forEachTap(size) { i, j, tap in
            let p = (size - 1) / 2
            sum +=
              Double(kernel[c * size * size + tap]) * map[y * stride + i - p, x * stride + j - p, c]
          }
          result.elements.append(sum)
        }
      }
    }
    return result
  }

  /// Σ kernel[c, i, j] · x[y·stride + i − p, x·stride + j − p, c] of quantized values.
  public static func sum(
    _ map: ReferenceQuantizedConvolution.Map, kernel: [Int8], channel c: Int, y: Int, x: Int,
    size: Int,
    stride: Int
  ) -> Int {
    var sum = 0
    forEachTap(size) { i, j, tap in
      let p = (size - 1) / 2
      sum += Int(kernel[c * size * size + tap]) * map[y * stride + i - p, x * stride + j - p, c]
    }
    return sum
  }

  private static func forEachTap(_ size: Int, _ body: (Int, Int, Int) -> Void) {
    for i in 0..<size { for j in 0..<size { body(i, j, i * size + j) } }
  }
}
