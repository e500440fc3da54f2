/// The kernels of `HoleHistory`, pixel by pixel.
enum ReferenceHoleHistory {
  /// 128 plus the parallax of the visible pixel, in steps.
  static func levels(step: Int, _ parallax: [Int32], seen: [Int32]) -> [UInt8] {
    seen.map { source in
      let nearest = min(Int(source + 32) >> 6, parallax.count - 1)
      let shown = source < 0 ? 0 : Int(parallax[nearest])
      return UInt8(clamping: 128 + (shown + step / 2) / step)
    }
  }

  /// The largest byte within `radius` in a row.
  static func widened(_ bytes: [UInt8], width: Int, radius: Int) -> [UInt8] {
    bytes.indices.map { index in
      let row = index / width * width
      return bytes[max(row, index - radius)...min(row + width - 1, index + radius)].max()!
    }
  }

  /// The history of a pixel.
  struct Pixel: Equatable {
    /// The origin of the color: 0 for nothing, 1 for invented, 2 for seen.
    var known: UInt8
    var level: UInt8
    var color: [UInt8]
  }

  /// The shown color of a pixel, and the pixel's new history.
  static func shown(
    _ color: [UInt8], isHole: Bool, level: UInt8, nearest: UInt8, same: UInt8, known: Pixel
  ) -> (color: [UInt8], known: Pixel) {
    let difference = Int(level) - Int(known.level)
    let isSame = abs(difference) <= Int(same)
    let isRim = Int(nearest) - Int(level) > Int(same)
    let wasSeen = known.known == 2
    if !isHole {
      let isCovered = wasSeen && difference > Int(same)
      if isCovered || isRim && known.known != 0 { return (color, known) }
      return (color, Pixel(known: 2, level: level, color: color))
    }
    if wasSeen, isSame { return (known.color, known) }
    if wasSeen, difference > 0 { return (color, known) }
    guard known.known == 1, isSame else {
      return (color, Pixel(known: 1, level: level, color: color))
    }
    let mixed = zip(known.color, color).map { (a: UInt8, b: UInt8) in
      UInt8((4 * Int(a) + Int(b) + 2) / 5)
    }
    return (mixed, Pixel(known: 1, level: level, color: mixed))
  }
}
