/// The warp of one row by its definition, target by target, in `Double`.
public enum ReferenceWarp {
  /// The source position that each target shows, in pixels, or `nil` in holes.
  ///
  /// - Parameters:
  ///   - shift: The shift of each source pixel to the right, in pixels.
  ///   - stretch: The distance in pixels beyond which neighbors are torn apart.
  public static func sources(shift: [Double], stretch: Double) -> [Double?] {
    let landing = shift.enumerated().map { Double($0) + $1 }
    return shift.indices.map { target in
      let at = Double(target)
      var shown: Double?
      func splat(_ pixel: Int, from start: Double) {
        if at >= start && at < start + 0.5 { shown = Double(pixel) }
      }
      splat(shift.count - 1, from: landing[shift.count - 1])
      for x in (0..<shift.count - 1).reversed() {
        let (left, right) = (landing[x], landing[x + 1])
        if right > left && right - left <= stretch {
          if at >= left && at < right { shown = Double(x) + (at - left) / (right - left) }
          continue
        }
        splat(x + 1, from: right - 0.5)
        splat(x, from: left)
        let isBetween = at >= left + 0.5 && at < right - 0.5
        if isBetween, let behind = shown,
          shift[x] - shift[Int(behind)] > shift[x + 1] - shift[x]
        {
          shown = nil
        }
      }
      splat(0, from: landing[0] - 0.5)
      return shown
    }
  }
}
