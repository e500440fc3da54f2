import DepthImages
import _TestSupport

/// Maps with known geometry.
enum GeometryScenes {
  static func photo(_ map: DepthMap) -> Image { testImage(height: map.height, width: map.width) }

  static func camera(_ map: DepthMap, focalLength: Double? = nil) -> Camera {
    Camera(
      width: map.width, height: map.height,
      focalLength: focalLength ?? 0.9 * Double(max(map.width, map.height)))
  }

  static func map(height: Int, width: Int, _ disparity: (Double, Double) -> Double) -> DepthMap {
    DepthMap(
      height: height, width: width, unit: .disparity,
      values: (0..<height * width).map {
        Float(disparity(Double($0 / width) / Double(height), Double($0 % width) / Double(width)))
      })
  }

  /// Gentle hills and a fold, without edges.
  static func hills(height: Int, width: Int) -> DepthMap {
    map(height: height, width: width) { y, x in
      0.4 + 0.05 * y + 0.03 * max(0, x - 0.45) + 0.004
        * (x * 17 - y * 11).rounded(.down)
        .truncatingRemainder(dividingBy: 2) * (x - 0.5) * (x - 0.5)
        + 0.01 * (x - 0.3) * (y - 0.7)
    }
  }

  /// A slanted plane.
  static func plane(height: Int, width: Int) -> DepthMap {
    map(height: height, width: width) { y, x in 0.3 + 0.2 * y + 0.1 * x }
  }

  /// A board 1 m away before a wall 3 m away, from top to bottom.
  static func board(height: Int, width: Int) -> DepthMap {
    map(height: height, width: width) { _, x in (0.4..<0.75).contains(x) ? 1 : 1 / 3 }
  }

  /// A box 1 m away before a wall 3 m away, with a corner of missing pixels.
  static func box(height: Int, width: Int, hasHole: Bool = false) -> DepthMap {
    map(height: height, width: width) { y, x in
      if hasHole, y < 0.1, x < 0.1 { return 0 }
      return (0.3..<0.7).contains(y) && (0.4..<0.75).contains(x) ? 1 : 1 / 3
    }
  }
}

/// The vertex `index` in an array of coordinates.
func point(_ numbers: [Float], _ index: Int) -> SIMD3<Double> {
  SIMD3(
    Double(numbers[3 * index]), Double(numbers[3 * index + 1]), Double(numbers[3 * index + 2]))
}
