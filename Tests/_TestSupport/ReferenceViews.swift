/// Steps of view synthesis in 64 bits, pixel by pixel.
public enum ReferenceViews {
  /// A map of parallax, stretched over a frame by linear interpolation between pixel centers.
  public static func stretched(
    _ map: [Int32], height: Int, width: Int, toHeight: Int, toWidth: Int
  ) -> [Double] {
    (0..<toHeight * toWidth).map { index in
      let v = (Double(index / toWidth) + 0.5) * Double(height) / Double(toHeight) - 0.5
      let u = (Double(index % toWidth) + 0.5) * Double(width) / Double(toWidth) - 0.5
      let (y, x) = (v.rounded(.down), u.rounded(.down))
      func sample(_ row: Double, _ column: Double) -> Double {
        let row = min(max(Int(row), 0), height - 1)
        return Double(map[row * width + min(max(Int(column), 0), width - 1)])
      }
      let top = sample(y, x) * (1 - u + x) + sample(y, x + 1) * (u - x)
      let bottom = sample(y + 1, x) * (1 - u + x) + sample(y + 1, x + 1) * (u - x)
      return top * (1 - v + y) + bottom * (v - y)
    }
  }

  /// The binomially weighted mean of a column's invented pixels around a row, for each channel.
  ///
  /// - Parameters:
  ///   - distance: The distance to the background, in pixels.
  ///   - holes: Nonzero values mark invented pixels.
  public static func smoothed(
    row: Int, column: Int, distance: Int, height: Int, width: Int, pixels: [UInt8], holes: [UInt8]
  ) -> [Double] {
    let radius = min(distance, 6) + 1
    var (sums, total) = ([0.0, 0, 0], 0.0)
    for y in max(0, row - radius)...min(height - 1, row + radius)
    where holes[y * width + column] != 0 {
      let tap = y - row + radius
      let weight = (0..<tap).reduce(1.0) { $0 * Double(2 * radius - $1) / Double($1 + 1) }
      for channel in 0..<3 {
        sums[channel] += weight * Double(pixels[(y * width + column) * 3 + channel])
      }
      total += weight
    }
    return sums.map { $0 / total }
  }
}
