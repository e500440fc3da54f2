/// Fills pixels without a value from the farthest surface of their neighbors.
///
/// Most holes are occluded by something nearer, behind which the farther surface continues. Each pixel takes
/// the smallest disparity of the nearest pixels with a value to its left, right, above and below.
enum HoleFilling {
  static func filled(_ disparity: [Float], height: Int, width: Int) -> [Float] {
    var result = disparity
    /// Propagates values along lines of pixels `step` apart, from `start`.
    func carry(from start: Int, step: Int, count: Int) {
      var value: Float = 0
      var i = start
      for _ in 0..<count {
        if disparity[i] > 0 {
          value = disparity[i]
        } else if value > 0 {
          result[i] = result[i] > 0 ? min(result[i], value) : value
        }
        i += step
      }
    }
    for y in 0..<height {
      carry(from: y * width, step: 1, count: width)
      carry(from: (y + 1) * width - 1, step: -1, count: width)
    }
    for x in 0..<width {
      carry(from: x, step: width, count: height)
      carry(from: (height - 1) * width + x, step: -width, count: height)
    }
    return result
  }
}
