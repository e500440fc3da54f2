import DepthBase

/// Moves pixels beside edges back to their surface.
///
/// Pixels within the reach of an edge (``EdgeReach``) are on no surface. In each of four directions, a line through the
/// nearest trusted pixel and a trusted pixel farther away continues a surface to the pixel. The pixel takes the
/// continued value nearest to its own.
///
/// A pixel far from all continued values is dropped, unless it agrees with its neighbors, since some objects are
/// narrower than the band. Pixels near gaps but no jump are kept, too. A pixel is unchanged if its value is between
/// those of the surfaces and agrees with a surface or with its neighbors. Results stay within the range of the map.
struct EdgeSnapping: Sendable {
  let height, width: Int
  /// Reach in pixels, at least 1.
  let reach: Int
  /// Whether pixels are dropped instead of moved.
  let drops: Bool

  /// Maximum distance of trusted pixels that are used, in reaches.
  private static let farthest = 2
  /// Distance between the two pixels of a line, in reaches.
  private static let baseline = 2
  /// A line that changes by more than this share over the reach is not a surface. Then only the nearer pixel counts.
  private static let steepest: Float = 0.15
  /// The largest move of a pixel, as a share of its disparity.
  private static let largestMove: Float = 0.45
  /// The largest move with ``drops``.
  private static let leastMove: Float = 0.02
  /// The largest difference of neighboring disparities on a thin object, as a share.
  private static let thinFlatness: Float = 0.06
  /// The largest difference of surfaces between which overshoots are impossible.
  private static let innerFlatness: Float = 0.08
  /// Largest difference with which a pixel between surfaces agrees with a surface, as a share of the pixel's disparity.
  private static let agreement: Float = 0.02

  /// - Parameter band: The untrusted pixels.
  /// - Returns: Disparities; 0 for dropped pixels.
  func snapped(_ disparity: [Float], band: EdgeBand, threads: Int) -> [Float] {
    let (above, below) = band.verticalDistances(threads: threads)
    let (low, high) = disparity.lazy.filter { $0 > 0 }
      .reduce((Float.infinity, 0)) { (min($0.0, $1), max($0.1, $1)) }
    return filledRows(height: height, width: width, grain: DepthSurface.grain, threads: threads) {
      rows, out in
      let (d, trusted) = (disparity.span, band.bytes.span)
      let limit = Self.farthest * reach + 2
      var right = [Int](repeating: 0, count: width)
      out.forEachRow(rows, width: width) { y, row in
        let start = y * width
        var next = Int.max
        for x in (0..<width).reversed() {
          if trusted[start + x] == 0 { next = x }
          right[x] = next
        }
        var last = -1
        for x in 0..<width {
          let i = start + x
          guard trusted[i] != 0, d[i] > 0 else {
            if trusted[i] == 0 { last = x }
            row[x] = d[i]
            continue
          }
          var best = Candidate(own: d[i])
          if last >= 0, x - last <= limit {
            take(&best, d, trusted, at: start + last, x - last, step: -1, room: last)
          }
          if right[x] - x <= limit {
            let place = right[x]
            take(&best, d, trusted, at: start + place, place - x, step: 1, room: width - 1 - place)
          }
          if above[i] <= limit {
            let distance = Int(above[i])
            take(
              &best, d, trusted, at: i - distance * width, distance, step: -width,
              room: y - distance)
          }
          if below[i] <= limit {
            let distance = Int(below[i])
            take(
              &best, d, trusted, at: i + distance * width, distance, step: width,
              room: height - 1 - y - distance)
          }
          if best.isBetween,
            best.move <= Self.agreement * d[i] || isFlat(d, Self.innerFlatness, around: i, x, y)
          {
            row[x] = d[i]
          } else if best.move <= (drops ? Self.leastMove : Self.largestMove) * d[i] {
            row[x] = min(max(best.value, low), high)
          } else if trusted[i] & EdgeBand.jump == 0 {
            // Only gaps are near, as everywhere in a sensor's map, so the pixel may be on a surface.
            row[x] = d[i]
          } else {
            let isThin =
              best.move > Self.largestMove * d[i] && isFlat(d, Self.thinFlatness, around: i, x, y)
            row[x] = isThin ? d[i] : 0
          }
        }
      }
    }
  }

  /// The best value so far, its distance from the pixel's own value, and the range of all values.
  private struct Candidate {
    let own: Float
    var value: Float = 0
    var move = Float.infinity
    var least = Float.infinity
    var largest = -Float.infinity

    /// Whether the pixel's own value is between the continued values of surfaces on different sides.
    var isBetween: Bool { least <= own && own <= largest }
  }

  /// Uses the surface of trusted pixel `i`, `distance` pixels away, if its continued value is nearer.
  ///
  /// - Parameters:
  ///   - step: The step from pixel `i` to the next pixel farther away.
  ///   - room: Number of pixels farther away.
  @inline(__always)
  private func take(
    _ best: inout Candidate, _ d: Span<Float>, _ trusted: Span<UInt8>, at i: Int, _ distance: Int,
    step: Int, room: Int
  ) {
    let length = min(Self.baseline * reach, room)
    var slope: Float = 0
    if length > 0, trusted[i + length * step] == 0 {
      slope = (d[i] - d[i + length * step]) / Float(length)
      if abs(slope) * Float(reach) > Self.steepest * d[i] { slope = 0 }
    }
    let value = d[i] + slope * Float(distance)
    best.least = min(best.least, value)
    best.largest = max(best.largest, value)
    let move = abs(value - best.own)
    if move < best.move { (best.value, best.move) = (value, move) }
  }

  /// Returns whether the disparities of a pixel and its neighbors differ by at most a share.
  @inline(__always)
  private func isFlat(
    _ d: Span<Float>, _ flatness: Float, around i: Int, _ x: Int, _ y: Int
  ) -> Bool {
    guard x > 1, y > 1, x + 2 < width, y + 2 < height else { return false }
    var (low, high) = (d[i], d[i])
    for offset in [-2, -1, 1, 2] {
      let (beside, above) = (d[i + offset], d[i + offset * width])
      low = min(low, beside, above)
      high = max(high, beside, above)
    }
    return high - low <= flatness * high
  }
}
