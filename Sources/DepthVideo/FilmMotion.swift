import DepthImages
import SystemEssentials

/// Detects cuts and a still camera in small pictures of a film's frames.
package struct FilmMotion: Sendable, Codable {
  /// The change since the previous frame.
  package struct Change: Sendable, Hashable {
    /// Whether the frame begins another scene.
    package let isCut: Bool
    /// Whether the camera has stood still since the previous frame and over several frames.
    package let isStill: Bool
  }

  /// Height of the small pictures; the width is in proportion.
  private static let rows = 120
  /// Change of a color, 0…255, at which a pixel counts as changed.
  private static let threshold = 10
  /// Minimum share of unchanged pixels for a still camera. Moving objects may cover the remaining pixels.
  private static let stillShare = 0.5

  /// `height × width × 3` bytes of the previous frame, and of the frame after which the camera has stood still.
  private var last: Data?
  private var reference: Data?
  private var height = 0
  private var width = 0

  /// Whether both pictures have the same size. A damaged file may contain different sizes.
  var isConsistent: Bool { last?.count == reference?.count }

  mutating func next(_ photo: Image) -> Change {
    height = min(Self.rows, photo.height)
    width = max(1, photo.width * height / photo.height)
    let small = areaAveraged(photo, height: height, width: width, threads: 1).pixels
    defer { last = Data(small) }
    guard let last, let reference, last.count == small.count else {
      reference = Data(small)
      return Change(isCut: true, isStill: false)
    }
    let change = PhotoChange(from: Array(last), to: small, height: height, width: width)
    let isCut = change.share(above: 2 * Float(Self.threshold)) > TemporalDepthFilter.cutShare
    let isStill =
      !isCut && Self.unchanged(last, small) >= Self.stillShare
      && Self.unchanged(reference, small) >= Self.stillShare
    if !isStill { self.reference = Data(small) }
    return Change(isCut: isCut, isStill: isStill)
  }

  /// Share of pixels whose colors changed by no more than noise.
  private static func unchanged(_ old: Data, _ new: [UInt8]) -> Double {
    let old = Array(old)
    let count = stride(from: 0, to: new.count - 2, by: 3).count { at in
      (at..<at + 3).allSatisfy { abs(Int(new[$0]) - Int(old[$0])) < threshold }
    }
    return Double(count) / Double(max(new.count / 3, 1))
  }
}

/// The change of a photo since the previous frame, at the size of a depth map.
struct PhotoChange: Sendable {
  /// The largest change of a color, 0…255, at a pixel and its neighbors within ``reach``.
  let levels: [Float]

  /// Radius in pixels. A moving object also changes depth next to the object's outline.
  static let reach = 1

  /// - Parameters:
  ///   - old: `height × width × 3` bytes, like `new`.
  init(from old: [UInt8], to new: [UInt8], height: Int, width: Int) {
    let own = (0..<height * width).map { pixel in
      (0..<3).reduce(0) { largest, channel in
        max(largest, abs(Int(new[pixel * 3 + channel]) - Int(old[pixel * 3 + channel])))
      }
    }
    // The maximum over a window is separable into rows and columns.
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
