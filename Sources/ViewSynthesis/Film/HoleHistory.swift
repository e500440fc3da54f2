import DepthImages
import SystemEssentials

/// What earlier frames showed where the views of this one have holes.
///
/// While the camera is still, each pixel of a view keeps the color of the farthest surface that it has shown: what
/// passes in front of a wall leaves the wall known. A hole whose background has that distance takes it. Where
/// nothing was ever seen, colors are invented, and change from frame to frame by a fifth of the difference only.
package struct HoleHistory: Sendable {
  /// What is known of a pixel.
  private enum Known {
    static let nothing: UInt8 = 0
    static let invented: UInt8 = 1
    static let seen: UInt8 = 2
  }

  /// Levels of parallax within which colors are of one surface: networks' maps tremble by as much, and things before
  /// a wall are farther from it.
  private static let sameSurface: Int16 = 20

  /// One view's memory.
  struct Eye: Sendable, Equatable, Codable {
    /// `height · width · 3` bytes.
    var colors: Data
    /// `height · width` levels of parallax, and what they and the colors are worth.
    var parallax, known: Data
  }

  private var left: Memory?
  private var right: Memory?

  private struct Memory: Sendable {
    var colors, parallax, known: [UInt8]
  }

  package init() {}

  /// The pair with its holes filled from what is known, which this frame adds to.
  ///
  /// - Parameter isStill: Whether the camera has not moved since the frame before; otherwise everything known is
  ///   forgotten.
  package mutating func filled(_ views: FilmViews, isStill: Bool) -> StereoPair {
    let pair = views.pair
    let leftPixels = Self.filled(
      pair.left.pixels, pair.leftHoles.values, views.left, width: pair.width, memory: &left,
      isStill: isStill)
    let rightPixels = Self.filled(
      pair.right.pixels, pair.rightHoles.values, views.right, width: pair.width, memory: &right,
      isStill: isStill)
    return StereoPair(
      left: pair.left.replacing(pixels: leftPixels),
      right: pair.right.replacing(pixels: rightPixels), leftHoles: pair.leftHoles,
      rightHoles: pair.rightHoles)
  }

  private static func filled(
    _ pixels: [UInt8], _ holes: [UInt8], _ parallax: [UInt8], width: Int, memory: inout Memory?,
    isStill: Bool
  ) -> [UInt8] {
    // A view that is the photo has no holes.
    guard parallax.count == holes.count else { return pixels }
    guard isStill, var known = memory, known.parallax.count == parallax.count else {
      memory = Memory(
        colors: pixels, parallax: parallax,
        known: holes.map { $0 == 0 ? Known.seen : Known.invented })
      return pixels
    }
    memory = nil
    var result = pixels
    update(
      colors: &known.colors, distance: &known.parallax, known: &known.known, result: &result,
      holes: holes, parallax: parallax, nearest: dilated(parallax, width: width))
    memory = known
    return result
  }

  /// The largest level within a two-hundredth of the width to both sides: maps miss an outline by as much.
  private static func dilated(_ levels: [UInt8], width: Int) -> [UInt8] {
    let radius = max(2, width / 200)
    var wide = levels
    var reach = 0
    while reach < radius {
      // Each pass widens by at most what is there already, and one.
      let step = min(radius - reach, reach + 1)
      var next = wide
      for start in stride(from: 0, to: levels.count, by: width) {
        for x in start..<start + width - min(step, width) {
          next[x] = max(next[x], wide[x + step])
          next[x + step] = max(next[x + step], wide[x])
        }
      }
      wide = next
      reach += step
    }
    return wide
  }

  private static func update(
    colors: inout [UInt8], distance: inout [UInt8], known: inout [UInt8], result: inout [UInt8],
    holes: [UInt8], parallax: [UInt8], nearest: [UInt8]
  ) {
    let holes = holes.span
    let levels = parallax.span
    let nearest = nearest.span
    var colors = colors.mutableSpan
    var distance = distance.mutableSpan
    var known = known.mutableSpan
    var result = result.mutableSpan
    for pixel in 0..<holes.count {
      let at = pixel * 3
      let difference = Int16(levels[pixel]) - Int16(distance[pixel])
      if holes[pixel] == 0 {
        // What is nearer covers what is known; what is as far or farther replaces it.
        guard known[pixel] != Known.seen || difference <= Self.sameSurface else { continue }
        // Beside something nearer a color may be of both.
        let isRim = Int16(nearest[pixel]) - Int16(levels[pixel]) > Self.sameSurface
        guard !isRim || known[pixel] == Known.nothing else { continue }
        (colors[at], colors[at + 1], colors[at + 2]) = (
          result[at], result[at + 1], result[at + 2]
        )
        (distance[pixel], known[pixel]) = (levels[pixel], Known.seen)
        continue
      }
      let isSameSurface = abs(difference) <= Self.sameSurface
      if known[pixel] == Known.seen, isSameSurface {
        (result[at], result[at + 1], result[at + 2]) = (
          colors[at], colors[at + 1], colors[at + 2]
        )
        continue
      }
      // What was seen there is another surface: it stays known.
      if known[pixel] == Known.seen, difference > 0 { continue }
      for channel in at..<at + 3 {
        if known[pixel] == Known.invented, isSameSurface {
          let mixed = (4 * UInt16(colors[channel]) + UInt16(result[channel]) + 2) / 5
          result[channel] = UInt8(mixed)
        }
        colors[channel] = result[channel]
      }
      (distance[pixel], known[pixel]) = (levels[pixel], Known.invented)
    }
  }
}

extension HoleHistory {
  /// The memory of both eyes, to go on from later.
  package struct Saved: Sendable, Equatable, Codable {
    var left, right: Eye?
  }

  package var saved: Saved {
    func eye(_ memory: Memory?) -> Eye? {
      memory.map {
        Eye(colors: Data($0.colors), parallax: Data($0.parallax), known: Data($0.known))
      }
    }
    return Saved(left: eye(left), right: eye(right))
  }

  package init(_ saved: Saved) {
    func memory(_ eye: Eye?) -> Memory? {
      eye.map {
        Memory(colors: Array($0.colors), parallax: Array($0.parallax), known: Array($0.known))
      }
    }
    (left, right) = (memory(saved.left), memory(saved.right))
  }
}
