import DepthImages

/// The distance, in pixels, within which depth edges distort a map.
///
/// An upsampled map ramps or overshoots between two surfaces, and these pixels are on neither surface. A map that was
/// measured or rendered pixel by pixel has no such pixels. Beside every jump, this type measures the map's deviation
/// from the line through pixels farther away, as a share of the jump. The reach is the distance at which the median
/// deviation falls below ``tolerance``.
///
/// Even in a clean map, round objects bend away at their outlines, but the surfaces behind them do not. A map is clean
/// if its farther sides are on their lines right at the jump.
struct EdgeReach: Sendable {
  let height, width: Int
  let threshold: Float

  /// The largest negligible deviation, as a share of the jump.
  private static let tolerance: Float = 0.03
  /// Least number of jumps for a conclusion.
  private static let leastJumps = 16
  /// Approximate number of examined jumps along each axis.
  private static let wantedJumps = 20_000

  /// The largest reach to search for, pixels.
  var largest: Int { max(4, max(height, width) / 64) }

  /// - Parameter disparity: 1 / metres; 0 for no value.
  /// - Returns: The reach in pixels; 0 for a map with clean edges.
  func measured(in disparity: [Float]) -> Int {
    let offsets = Array(stride(from: 0, to: largest, by: max(1, largest / 16)))
    var deviations = Deviations(offsets: offsets)
    let rows = Line(count: height, length: width, stride: width, step: 1)
    let columns = Line(count: width, length: height, stride: 1, step: width)
    for line in [rows, columns] {
      // With this spacing, lines have about the wanted number of jumps if every twentieth pixel is a jump.
      let spacing = max(1, height * width / 20 / Self.wantedJumps)
      for index in stride(from: 0, to: line.count, by: spacing) {
        collect(disparity, from: index * line.stride, line, into: &deviations)
      }
    }
    func isSmall(_ numbers: [Float]) -> Bool {
      sortedElement(of: numbers, at: numbers.count / 2) <= Self.tolerance
    }
    guard deviations.numbers[0].count >= Self.leastJumps else { return 0 }
    if deviations.behind.count >= Self.leastJumps, isSmall(deviations.behind) { return 0 }
    return deviations.numbers.firstIndex(where: isSmall).map { offsets[$0] } ?? largest
  }

  /// Deviations of the map from its lines, as shares of the jumps.
  private struct Deviations {
    /// Pixels from the jump.
    let offsets: [Int]
    /// Deviations at all jumps on both sides, for each offset.
    var numbers: [[Float]]
    /// The deviations of the farther sides, right at the jump.
    var behind: [Float] = []

    init(offsets: [Int]) {
      self.offsets = offsets
      numbers = Array(repeating: [], count: offsets.count)
    }
  }

  /// Pixels along one axis of the map.
  private struct Line {
    /// The number of lines, and the pixels of each.
    let count, length: Int
    /// The distance from line to line, and from pixel to pixel.
    let stride, step: Int
  }

  /// Adds the deviations on both sides of all jumps of a line.
  private func collect(
    _ d: [Float], from start: Int, _ line: Line, into deviations: inout Deviations
  ) {
    func value(_ place: Int) -> Float { d[start + place * line.step] }
    /// Returns whether there is a jump, or a missing value, between a pixel and the next pixel.
    func jumps(_ place: Int) -> Bool {
      let (p, q) = (value(place), value(place + 1))
      return p <= 0 || q <= 0 || abs(p - q) > threshold * max(p, q)
    }
    for place in 0..<max(line.length - 1, 0) where jumps(place) {
      for (first, direction) in [(place, -1), (place + 1, 1)] {
        let (near, far) = (first + direction * largest, first + direction * (2 * largest - 1))
        let across = first - direction * (largest + 1)
        guard far >= 0, far < line.length, across >= 0, across < line.length else { continue }
        // The line is used if one surface extends far enough.
        var isFree = value(across) > 0
        var walk = first + direction * (largest / 2)
        while isFree, walk != far {
          isFree = !jumps(min(walk, walk + direction))
          walk += direction
        }
        guard isFree else { continue }
        let (a, b) = (value(near), value(far))
        let slope = (b - a) / Float(largest - 1)
        let jump = max(abs(a - value(across)), threshold * a)
        for (k, offset) in deviations.offsets.enumerated() {
          let expected = a + slope * Float(offset - largest)
          let deviation = abs(value(first + direction * offset) - expected) / jump
          deviations.numbers[k].append(deviation)
          let isBehind = a <= value(across) && value(first) < value(first - direction)
          if offset == 0, isBehind { deviations.behind.append(deviation) }
        }
      }
    }
  }
}
