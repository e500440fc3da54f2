/// How much a photo has changed since the frame before, at the size of a depth map.
struct PhotoChange: Sendable {
  /// The largest change of a color, 0…255, among a pixel and the neighbors within ``reach``.
  let levels: [Float]

  /// Pixels; a moving thing also changes depth just beside itself.
  static let reach = 1

  /// - Parameters:
  ///   - old: `height × width × 3` bytes; `new` likewise.
  init(from old: [UInt8], to new: [UInt8], height: Int, width: Int) {
    let own = (0..<height * width).map { pixel in
      (0..<3).reduce(0) { largest, channel in
        max(largest, abs(Int(new[pixel * 3 + channel]) - Int(old[pixel * 3 + channel])))
      }
    }
    // The largest of a window is the largest along columns of the largest along rows.
    var rows = own
    for y in 0..<height {
      for x in 0..<width {
        var largest = 0
        for near in max(0, x - Self.reach)...min(width - 1, x + Self.reach) {
          largest = max(largest, own[y * width + near])
        }
        rows[y * width + x] = largest
      }
    }
    var levels = [Float](repeating: 0, count: height * width)
    for y in 0..<height {
      for x in 0..<width {
        var largest = 0
        for near in max(0, y - Self.reach)...min(height - 1, y + Self.reach) {
          largest = max(largest, rows[near * width + x])
        }
        levels[y * width + x] = Float(largest)
      }
    }
    self.levels = levels
  }

  /// The share of pixels that changed by more than `threshold`.
  func share(above threshold: Float) -> Float {
    Float(levels.count { $0 > threshold }) / Float(levels.count)
  }
}
