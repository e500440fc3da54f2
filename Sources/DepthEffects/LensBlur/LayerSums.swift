import DepthImages

/// The light that falls on one row of a tile, layer by layer, as steps of running sums.
@safe final class LayerSums {
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
    unsafe steps = .allocate(capacity: layers * stride)
    unsafe steps.initialize(repeating: .zero, count: layers * stride)
    unsafe isUsed = .allocate(capacity: layers)
    unsafe isUsed.initialize(repeating: false, count: layers)
    unsafe light = .allocate(capacity: width)
    unsafe light.initialize(repeating: .zero, count: width)
  }

  deinit {
    unsafe steps.deallocate()
    unsafe isUsed.deallocate()
    unsafe light.deallocate()
  }

  /// Lays the layers over each other, writes the row as `width · 3` bytes, and empties all sums.
  func resolve(_ coded: UnsafeBufferPointer<UInt8>, into out: UnsafeMutablePointer<UInt8>) {
    unsafe light.update(repeating: .zero, count: width)
    for layer in (0..<layers).reversed() where unsafe isUsed[layer] {
      unsafe isUsed[layer] = false
      let row = unsafe steps + layer * stride
      var sum = SIMD4<Float>.zero
      for x in 0..<width {
        unsafe sum += row[x]
        let coverage = sum.w
        guard coverage > Self.least else { continue }
        let left = unsafe 1 - light[x].w
        unsafe light[x] += coverage <= left ? sum : sum * (max(left, 0) / coverage)
      }
      unsafe row.update(repeating: .zero, count: stride)
    }
    for x in 0..<width {
      let found = unsafe light[x]
      let scaled = found * (SRGB.steps / max(found.w, Self.least))
      let clamped = scaled.clamped(
        lowerBound: .zero, upperBound: SIMD4(repeating: SRGB.steps))
      for channel in 0..<3 {
        unsafe out[x * 3 + channel] = unsafe coded[Int(clamped[channel] + 0.5)]
      }
    }
  }
}
