public import DepthImages

/// Photos and maps that have equal bits on every machine.
public enum MadeUpPictures {
  /// One step of a linear congruential generator, in 0..<1.
  static func random(_ seed: inout UInt64) -> Double {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(seed >> 40) / Double(1 << 24)
  }

  /// Blocks of color with a little noise.
  public static func photo(height: Int, width: Int, seed: UInt64 = 1) -> Image {
    var seed = seed
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let block = (y / 5 + x / 7) % 3
        for c in 0..<3 {
          pixels.append(UInt8(Double(60 + 50 * ((block + c) % 3)) + 24 * random(&seed)))
        }
      }
    }
    return Image(height: height, width: width, pixels: pixels)
  }

  /// Values in 0…1.
  public static func values(_ count: Int, seed: UInt64 = 7) -> [Float] {
    var seed = seed
    return (0..<count).map { _ in Float(random(&seed)) }
  }
}
