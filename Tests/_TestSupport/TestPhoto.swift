package import DepthImages

/// A smooth photo with a bright disc, and the depth of a disc before a wall.
package enum TestPhoto {
  package static func image(height: Int = 48, width: Int = 64) -> Image {
    Image(
      height: height, width: width,
      pixels: (0..<height * width).flatMap { index -> [UInt8] in
        let (y, x) = (index / width, index % width)
        return isDisc(y, x, height, width)
          ? [240, 200, 40]
          : [UInt8(40 + x * 150 / width), UInt8(60 + y * 120 / height), 150]
      })
  }

  package static func depth(height: Int = 48, width: Int = 64) -> DepthMap {
    DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height * width).map { index in
        let (y, x) = (index / width, index % width)
        return isDisc(y, x, height, width) ? 1.25 : 4 + Float(y) / Float(height)
      })
  }

  private static func isDisc(_ y: Int, _ x: Int, _ height: Int, _ width: Int) -> Bool {
    let (dy, dx) = (y - height / 2, x - width / 2)
    return dy * dy + dx * dx < height * height / 16
  }
}
