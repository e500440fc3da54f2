import DepthBase

/// The error, in pixels, of a triangulation without a vertex and without the vertex's descendants.
///
/// The error of a vertex is its distance from the line between the ends of the split side, plus the largest error of
/// its four children. This error bounds the error of every pixel below, since omitting the vertex changes the surface
/// most at the vertex itself.
///
/// Level `s` has two kinds of vertices: centers of squares of side `2s`, and middles of their sides. Pixels beyond the
/// border repeat the border.
struct SplitErrors: Sendable {
  /// Middles of sides for `s` = 1, 2, 4 …, with one row per multiple of `s`.
  private var middles: [Level] = []
  /// Centers for `s` = 1, 2, 4 …, with one row per row of squares.
  private var centers: [Level] = []

  private struct Level: Sendable {
    let height, width: Int
    let errors: [Float]

    /// The error at a position; 0 beyond the borders.
    @inline(__always)
    func error(_ j: Int, _ i: Int) -> Float {
      j >= 0 && i >= 0 && j < height && i < width ? errors[j * width + i] : 0
    }
  }

  /// - Parameter side: Side of the largest squares, a power of two.
  init(_ surface: DepthSurface, side: Int, threads: Int) {
    let samples = SurfaceSamples(surface)
    let width = (surface.width - 1 + side - 1) / side * side
    let height = (surface.height - 1 + side - 1) / side * side
    for step in (0..<side.trailingZeroBitCount).map({ 1 << $0 }) {
      let below = centers.last
      middles.append(
        Self.level(height: height / step + 1, width: width / (2 * step) + 1, threads: threads) {
          j, i in
          let isRowOdd = j % 2 == 1
          let (x, y) = (isRowOdd ? 2 * i * step : (2 * i + 1) * step, j * step)
          guard x <= width else { return 0 }
          let own =
            isRowOdd
            ? samples.middleError((x, y), (x, y - step), (x, y + step), step: step)
            : samples.middleError((x, y), (x - step, y), (x + step, y), step: step)
          guard let below else { return own }
          let k = x / step
          return own
            + max(
              below.error(j - 1, k - 1), below.error(j - 1, k), below.error(j, k - 1),
              below.error(j, k))
        })
      let around = middles[middles.count - 1]
      centers.append(
        Self.level(height: height / (2 * step), width: width / (2 * step), threads: threads) {
          j, i in
          samples.centerError(((2 * i + 1) * step, (2 * j + 1) * step), step: step)
            + max(
              around.error(2 * j + 1, i), around.error(2 * j + 1, i + 1), around.error(2 * j, i),
              around.error(2 * j + 2, i))
        })
    }
  }

  /// Returns whether the error of omitting the middle between `a` and `b` exceeds the tolerance.
  @inline(__always)
  func exceed(
    _ tolerance: Float, at middle: (x: Int, y: Int), between a: (x: Int, y: Int),
    _ b: (x: Int, y: Int)
  ) -> Bool {
    let step = max(abs(a.x - b.x), abs(a.y - b.y)) / 2
    let level = step.trailingZeroBitCount
    let isCenter = a.x != b.x && a.y != b.y
    let error =
      isCenter
      ? centers[level].error(middle.y / (2 * step), middle.x / (2 * step))
      : middles[level].error(middle.y / step, middle.x / (2 * step))
    return error > tolerance
  }

  private static func level(
    height: Int, width: Int, threads: Int, _ error: @Sendable (_ j: Int, _ i: Int) -> Float
  ) -> Level {
    Level(
      height: height, width: width,
      errors: filledRows(height: height, width: width, grain: 8, threads: threads) { rows, out in
        out.forEachRow(rows, width: width) { j, row in
          for i in 0..<width { row[i] = error(j, i) }
        }
      })
  }
}
