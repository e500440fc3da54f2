import DepthImages

/// A palette of at most 256 colors for several pictures.
///
/// > Source: P. Heckbert, "Color image quantization for frame buffer display", SIGGRAPH 1982 (median
/// > cut), on colors of 5 bits per channel.
struct Palette {
  private(set) var colors: [SIMD3<UInt8>] = []
  /// The index of the nearest palette color, for each color with 5 bits per channel.
  private var nearest: [UInt8] = []

  /// A box of colors.
  private struct Box {
    var bins: [Int]
    var count: Int
    /// Number of pixels times the longest side. The box with the largest weight is cut next.
    var weight: Int
    var axis: Int
  }

  init(of frames: [Image], count: Int) {
    var histogram = [Int](repeating: 0, count: 1 << 15)
    for frame in frames {
      for at in stride(from: 0, to: frame.pixels.count, by: 3) {
        histogram[Self.bin(frame.pixels[at], frame.pixels[at + 1], frame.pixels[at + 2])] += 1
      }
    }
    let used = histogram.indices.filter { histogram[$0] > 0 }
    var boxes = [Self.box(used, histogram)]
    while boxes.count < count,
      let widest = boxes.indices.max(by: { boxes[$0].weight < boxes[$1].weight }),
      boxes[widest].weight > 0
    {
      let box = boxes.remove(at: widest)
      let sorted = box.bins.sorted {
        (Self.channel($0, box.axis), $0) < (Self.channel($1, box.axis), $1)
      }
      var half = 0
      var cut = 0
      while cut < sorted.count - 1, cut == 0 || 2 * half < box.count {
        half += histogram[sorted[cut]]
        cut += 1
      }
      boxes.append(Self.box(Array(sorted[..<cut]), histogram))
      boxes.append(Self.box(Array(sorted[cut...]), histogram))
    }
    colors = boxes.map { Self.mean($0, histogram) }
    nearest = (0..<1 << 15).map { bin in
      let wanted = Self.color(bin)
      var best = 0
      var least = Int.max
      for (index, color) in colors.enumerated() {
        let difference = SIMD3<Int>(truncatingIfNeeded: color) &- wanted
        let distance = (difference &* difference).wrappedSum()
        if distance < least { (least, best) = (distance, index) }
      }
      return UInt8(best)
    }
  }

  private static func bin(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
    Int(red >> 3) << 10 | Int(green >> 3) << 5 | Int(blue >> 3)
  }

  private static func channel(_ bin: Int, _ axis: Int) -> Int { bin >> (10 - 5 * axis) & 31 }

  /// The center of a bin, 0…255 per channel.
  private static func color(_ bin: Int) -> SIMD3<Int> {
    SIMD3(channel(bin, 0), channel(bin, 1), channel(bin, 2)) &* 8 &+ 4
  }

  private static func box(_ bins: [Int], _ histogram: [Int]) -> Box {
    let spans = (0..<3).map { axis -> Int in
      var (low, high) = (31, 0)
      for bin in bins {
        low = min(low, channel(bin, axis))
        high = max(high, channel(bin, axis))
      }
      return max(0, high - low)
    }
    let count = bins.reduce(0) { $0 + histogram[$1] }
    let axis = spans.indices.max { spans[$0] < spans[$1] } ?? 0
    return Box(bins: bins, count: count, weight: count * spans[axis], axis: axis)
  }

  private static func mean(_ box: Box, _ histogram: [Int]) -> SIMD3<UInt8> {
    var sum = SIMD3<Int>()
    for bin in box.bins { sum = sum &+ color(bin) &* histogram[bin] }
    return SIMD3<UInt8>(truncatingIfNeeded: sum / max(1, box.count))
  }

  /// The palette index of each pixel, dithered by Bayer's 4×4 pattern over the width of a bin.
  func indices(of image: Image) -> [UInt8] {
    let bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]
    var result: [UInt8] = []
    result.reserveCapacity(image.height * image.width)
    for y in 0..<image.height {
      for x in 0..<image.width {
        let at = (y * image.width + x) * 3
        let offset = (bayer[y % 4 * 4 + x % 4] - 8) / 2
        func dithered(_ byte: UInt8) -> UInt8 { UInt8(min(255, max(0, Int(byte) + offset))) }
        result.append(
          nearest[
            Self.bin(
              dithered(image.pixels[at]), dithered(image.pixels[at + 1]),
              dithered(image.pixels[at + 2]))])
      }
    }
    return result
  }
}
