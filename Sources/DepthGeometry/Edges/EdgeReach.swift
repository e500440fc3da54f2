import DepthImages

/// How far, in pixels, edges of depth spoil the map beside them.
///
/// A map that was upsampled does not jump from one surface to the other: it ramps, or overshoots, over some pixels, and
/// those are on neither surface. A map that was measured or rendered pixel by pixel has no such pixels. So the map
/// itself is asked: beside every jump, how far is it off the line through pixels further away, as a share of the jump?
/// The reach is the distance at which the median of that falls below ``tolerance``.
///
/// Round things bend away towards their outlines, also in a map without any spoiled pixel. What is behind them does
/// not: a map whose farther sides are on their lines right at the jump is clean.
struct EdgeReach: Sendable {
  let height, width: Int
  let threshold: Float

  /// The deviation that counts as none, a share of the jump.
  private static let tolerance: Float = 0.03
  /// Fewer jumps than this say nothing.
  private static let leastJumps = 16
  /// Jumps that are looked at along each axis, about.
  private static let wantedJumps = 20_000

  /// The largest reach that is looked for, pixels.
  var largest: Int { max(4, max(height, width) / 64) }

  /// - Parameter disparity: 1 / metres, 0 for no value.
  /// - Returns: Pixels; 0 for a map with clean edges.
  func measured(in disparity: [Float]) -> Int {
    let offsets = Array(stride(from: 0, to: largest, by: max(1, largest / 16)))
    var deviations = Deviations(offsets: offsets)
    let rows = Line(count: height, length: width, stride: width, step: 1)
    let columns = Line(count: width, length: height, stride: 1, step: width)
    for line in [rows, columns] {
      // Lines far enough apart for about the wanted number, if every twentieth pixel is a jump.
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

  /// How far the map is off its lines, as shares of the jumps.
  private struct Deviations {
    /// Pixels from the jump.
    let offsets: [Int]
    /// For each offset, the numbers of all jumps on both of their sides.
    var numbers: [[Float]]
    /// The numbers of the farther sides, right at the jump.
    var behind: [Float] = []

    init(offsets: [Int]) {
      self.offsets = offsets
      numbers = Array(repeating: [], count: offsets.count)
    }
  }

  /// Pixels along one axis of the map.
  private struct Line {
    /// Lines, and pixels of each.
    let count, length: Int
    /// The distance from a line to the next, and from a pixel to the next.
    let stride, step: Int
  }

  /// Adds the deviations beside all jumps of a line, on both sides of each.
  private func collect(
    _ d: [Float], from start: Int, _ line: Line, into deviations: inout Deviations
  ) {
    func value(_ place: Int) -> Float { d[start + place * line.step] }
    /// Whether there is a jump between a pixel and the next, or no value.
    func jumps(_ place: Int) -> Bool {
      let (p, q) = (value(place), value(place + 1))
      return p <= 0 || q <= 0 || abs(p - q) > threshold * max(p, q)
    }
    for place in 0..<max(line.length - 1, 0) where jumps(place) {
      for (first, direction) in [(place, -1), (place + 1, 1)] {
        let (near, far) = (first + direction * largest, first + direction * (2 * largest - 1))
        let across = first - direction * (largest + 1)
        guard far >= 0, far < line.length, across >= 0, across < line.length else { continue }
        // The line is taken where one surface reaches far enough.
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
