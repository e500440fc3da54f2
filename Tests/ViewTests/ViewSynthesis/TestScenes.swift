import DepthImages

/// Small photos and depths with known properties.
enum TestScenes {
  /// A photo of noise, in which a misplaced pixel is visible.
  static func noise(height: Int, width: Int, seed: UInt64 = 1) -> Image {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return Image(
      height: height, width: width,
      pixels: (0..<height * width * 3).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      })
  }

  /// A wall at 4 m, a slope from 3 m to 2 m and poles at 1 m.
  static func depth(height: Int, width: Int) -> DepthMap {
    DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height * width).map { index in
        let x = index % width
        let y = index / width
        if x % 19 == 7 && y > height / 4 { return 1 }
        return x < width / 2 ? 4 : 3 - Float(x) / Float(width)
      })
  }
}

extension Image {
  var mirrored: Image {
    var result: [UInt8] = []
    for y in 0..<height {
      for x in (0..<width).reversed() {
        let first = (y * width + x) * 3
        result += pixels[first..<first + 3]
      }
    }
    return Image(height: height, width: width, pixels: result, metadata: metadata)
  }
}

extension DepthMap {
  var mirrored: DepthMap {
    DepthMap(
      height: height, width: width, unit: unit,
      values: (0..<height * width).map { values[$0 / width * width + width - 1 - $0 % width] })
  }
}
