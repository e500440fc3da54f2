import DepthBase
import DepthImages
import SystemEssentials

/// The pixels that earlier frames showed in the holes of this one's views.
///
/// While the camera is still, each pixel of a view keeps the color of the farthest surface that it has shown: what
/// passes in front of a wall leaves the wall known. A hole whose background has that distance takes it. Where
/// nothing was ever seen, colors are invented, and change from frame to frame by a fifth of the difference only.
package struct HoleHistory: Sendable {
  /// The knowledge of a pixel; `hole_history` has the same numbers, and 0 for nothing.
  private enum Known {
    static let invented: UInt8 = 1
    static let seen: UInt8 = 2
  }

  /// Levels of parallax within which colors are of one surface: networks' maps tremble by as much, and things before
  /// a wall are farther from it.
  private static let sameSurface: UInt8 = 20

  /// One view's memory.
  struct Eye: Sendable, Equatable, Codable {
    /// `height · width · 3` bytes.
    var colors: Data
    /// `height · width` levels of parallax, and what they and the colors are worth.
    var parallax, known: Data
  }

  private var left: Memory?
  private var right: Memory?

  /// The same as ``Eye``.
  struct Memory: Sendable {
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

  /// Passes a frame without views.
  ///
  /// - Parameter isStill: As for ``filled(_:isStill:)``.
  package mutating func skip(isStill: Bool) {
    if !isStill { (left, right) = (nil, nil) }
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
    // Maps miss an outline by a two-hundredth of the width.
    let kernels = ViewKernels(.current)
    let nearest = kernels.widened(parallax, width: width, radius: max(2, width / 200))
    kernels.fillHoles(
      holes, levels: parallax, nearest: nearest, sameSurface: sameSurface, of: &result,
      colors: &known.colors, distances: &known.parallax, known: &known.known)
    memory = known
    return result
  }
}

extension HoleHistory {
  /// The memory of both eyes, to go on from later.
  package struct Saved: Sendable, Equatable, Codable {
    var left, right: Eye?

    /// Whether the counts match; a damaged file may have counts that do not.
    package var isConsistent: Bool {
      [left, right].compactMap(\.self).allSatisfy {
        $0.colors.count == 3 * $0.parallax.count && $0.known.count == $0.parallax.count
      }
    }
  }

  package var saved: Saved {
    func eye(_ memory: Memory?) -> Eye? {
      memory.map {
        Eye(colors: Data($0.colors), parallax: Data($0.parallax), known: Data($0.known))
      }
    }
    return Saved(left: eye(left), right: eye(right))
  }

  /// - Precondition: ``Saved/isConsistent``.
  package init(_ saved: Saved) {
    func memory(_ eye: Eye?) -> Memory? {
      eye.map {
        Memory(colors: Array($0.colors), parallax: Array($0.parallax), known: Array($0.known))
      }
    }
    (left, right) = (memory(saved.left), memory(saved.right))
  }
}
