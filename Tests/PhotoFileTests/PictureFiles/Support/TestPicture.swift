import DepthImages

/// Pictures made by formula.
enum TestPicture {
  /// A smooth picture with different channels, which JPEG of high quality changes little.
  static func smooth(height: Int, width: Int, metadata: ImageMetadata = .init()) -> Image {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let (u, v) = (Double(x) / Double(width), Double(y) / Double(height))
        pixels += [UInt8(40 + 180 * u), UInt8(30 + 190 * v), UInt8(220 - 120 * u - 80 * v)]
      }
    }
    return Image(height: height, width: width, pixels: pixels, metadata: metadata)
  }

  /// A picture of random bytes.
  static func noise(height: Int, width: Int, seed: UInt64) -> Image {
    var random = SplitMix64(state: seed)
    let pixels = (0..<height * width * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
    return Image(height: height, width: width, pixels: pixels)
  }

  /// The largest difference of two pictures in gray levels, or `nil` if the sizes differ.
  static func distance(_ a: Image, _ b: Image) -> Int? {
    guard a.height == b.height, a.width == b.width else { return nil }
    return zip(a.pixels, b.pixels).map { abs(Int($0) - Int($1)) }.max()
  }
}

/// S. Vigna's generator, which gives equal numbers on every platform.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
