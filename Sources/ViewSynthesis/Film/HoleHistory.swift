import DepthBase
import DepthImages
import SystemEssentials

/// Fills the holes of a frame's views from earlier frames.
///
/// While the camera is still, each pixel of a view stores the color of the farthest visible surface, even while an
/// object passes in front. A hole takes the stored color if the hole's background is at the same distance. Colors of
/// surfaces that were never visible are invented, and approach new colors by a fifth of the difference per frame.
package struct HoleHistory: Sendable {
  /// The state of a pixel, with the numbers of the kernel `hole_history`; 0 for unknown.
  private enum Known {
    static let invented: UInt8 = 1
    static let seen: UInt8 = 2
  }

  /// The parallax difference, in levels, within which colors belong to one surface. Networks' maps vary by up to
  /// this much between frames; objects in front of a wall differ more.
  private static let sameSurface: UInt8 = 20

  /// The stored history of one view.
  struct Eye: Sendable, Equatable, Codable {
    /// `height · width · 3` bytes.
    var colors: Data
    /// `height · width` levels of parallax, and the state of each pixel's level and color.
    var parallax, known: Data
  }

  private var left: Memory?
  private var right: Memory?

  /// The history of one view in memory; see ``Eye``.
  struct Memory: Sendable {
    var colors, parallax, known: [UInt8]
  }

  package init() {}

  /// Fills the pair's holes from the history, and adds this frame to the history.
  ///
  /// - Parameter isStill: Whether the camera has not moved since the previous frame; otherwise the history is reset.
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

  /// Skips a frame without views.
  ///
  /// - Parameter isStill: See ``filled(_:isStill:)``.
  package mutating func skip(isStill: Bool) {
    if !isStill { (left, right) = (nil, nil) }
  }

  private static func filled(
    _ pixels: [UInt8], _ holes: [UInt8], _ parallax: [UInt8], width: Int, memory: inout Memory?,
    isStill: Bool
  ) -> [UInt8] {
    // A view that equals the photo has no holes.
    guard parallax.count == holes.count else { return pixels }
    guard isStill, var known = memory, known.parallax.count == parallax.count else {
      memory = Memory(
        colors: pixels, parallax: parallax,
        known: holes.map { $0 == 0 ? Known.seen : Known.invented })
      return pixels
    }
    memory = nil
    var result = pixels
    // Outlines in maps are off by up to a two-hundredth of the width.
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
  /// The history of both eyes, for a later continuation.
  package struct Saved: Sendable, Equatable, Codable {
    var left, right: Eye?

    /// Whether the counts match. A damaged file may have other counts.
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
