import DepthImages

/// The light that falls on one row of a tile, layer by layer, as steps of running sums.
final class LayerSums {
  let width: Int
  let layers: Int
  /// Elements of a layer: the row, and two for what ends beyond it.
  let stride: Int
  /// Red, green, blue and coverage.
  let steps: UnsafeMutablePointer<SIMD4<Float>>
  /// Whether a layer has any light in this row.
  let isUsed: UnsafeMutablePointer<Bool>
  private let light: UnsafeMutablePointer<SIMD4<Float>>

  /// Coverage that is nothing but rounding.
  private static let least: Float = 1e-4

  init(width: Int, layers: Int) {
    (self.width, self.layers, stride) = (width, layers, width + 2)
    steps = .allocate(capacity: layers * stride)
    steps.initialize(repeating: .zero, count: layers * stride)
    isUsed = .allocate(capacity: layers)
    isUsed.initialize(repeating: false, count: layers)
    light = .allocate(capacity: width)
    light.initialize(repeating: .zero, count: width)
  }

  deinit {
    steps.deallocate()
    isUsed.deallocate()
    light.deallocate()
  }

  /// Lays the layers over each other, writes the row as `width · 3` bytes, and empties all sums.
  func resolve(_ coded: UnsafeBufferPointer<UInt8>, into out: UnsafeMutablePointer<UInt8>) {
    light.update(repeating: .zero, count: width)
    for layer in (0..<layers).reversed() where isUsed[layer] {
      isUsed[layer] = false
      let row = steps + layer * stride
      var sum = SIMD4<Float>.zero
      for x in 0..<width {
        sum += row[x]
        let coverage = sum.w
        guard coverage > Self.least else { continue }
        let left = 1 - light[x].w
        light[x] += coverage <= left ? sum : sum * (max(left, 0) / coverage)
      }
      row.update(repeating: .zero, count: stride)
    }
    for x in 0..<width {
      let found = light[x]
      let scaled = found * (SRGB.steps / max(found.w, Self.least))
      let clamped = scaled.clamped(
        lowerBound: .zero, upperBound: SIMD4(repeating: SRGB.steps))
      for channel in 0..<3 { out[x * 3 + channel] = coded[Int(clamped[channel] + 0.5)] }
    }
  }
}
