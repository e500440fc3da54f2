import DepthBase

/// The deviation of a map from a plane around each pixel, that is, the root mean square residual of a
/// least-squares plane through the window.
///
/// The window has every `spacing`-th pixel. With `u = value(q) − value(p)` over its `N` samples
/// `q = p + (x, y)` and `S = Σx² = Σy²`,
///
///     r² = Σu²/N − (Σu/N)² − ((Σxu)² + (Σyu)²) / (N·S)
///
/// A neighbor is missing if it has no value or is beyond the border. It continues the line from the opposite
/// neighbor through `p`, so that a plane of any slant has residual 0. If both neighbors are missing, as in
/// the map's corners, both equal `p`.
///
/// - Parameters:
///   - map: `h × w` values with weights. Any weight above 0 means a value.
///   - radius: Radius of the window, which has `2·radius + 1` samples per side.
///   - spacing: Pixels from one sample to the next.
/// - Returns: `h × w` numbers in the unit of the map, 0 for no value. The number of threads does not change these numbers.
package func planeResiduals(
  _ map: WeightedMap, radius: Int, spacing: Int, threads: Int
) -> [Float] {
  precondition(
    radius > 0 && spacing > 0, "radius is \(radius), spacing \(spacing), expected at least 1")
  let (height, width) = (map.height, map.width)
  let samples = Float((2 * radius + 1) * (2 * radius + 1))
  // The unit is samples, as in the offsets in the sums.
  let squares = samples * Float(radius * (radius + 1)) / 3

  return filledRows(height: height, width: width, grain: 16, threads: threads) { chunk, out in
    var window = PlaneWindow(chunk, of: map, radius: radius, spacing: spacing)
    out.forEachRow(chunk, width: width) { y, row in
      window.addDifferences(row: y)
      let (sum, square) = (window.sum.span, window.square.span)
      let (across, down) = (window.across.span, window.down.span)
      let start = window.start(y)
      let hasValue = window.hasValue.span.extracting(start..<start + width)
      precondition(
        row.count == width && sum.count == width && square.count == width
          && across.count == width && down.count == width)
      for x in 0..<width {
        let mean = sum[x] / samples
        let slope = (across[x] * across[x] + down[x] * down[x]) / (samples * squares)
        let square = square[x] / samples - mean * mean - slope
        row[x] = hasValue[x] > 0 ? max(square, 0).squareRoot() : 0
      }
    }
  }
}

/// The rows in the windows of a chunk, and the sums over the windows of one row.
private struct PlaneWindow {
  private let first, width, pitch, reach, radius, spacing: Int
  /// Values, and 1 for each existing value, with a margin of `reach` on all sides.
  private var value: [Float]
  private(set) var hasValue: [Float]
  /// `Σu`, `Σu²`, `Σxu` and `Σyu` for each pixel of a row.
  private(set) var sum, square, across, down: [Float]

  init(_ chunk: Range<Int>, of map: WeightedMap, radius: Int, spacing: Int) {
    (first, width) = (chunk.lowerBound, map.width)
    (self.radius, self.spacing, reach) = (radius, spacing, radius * spacing)
    pitch = width + 2 * reach
    value = [Float](repeating: 0, count: (chunk.count + 2 * reach) * pitch)
    hasValue = value
    sum = [Float](repeating: 0, count: width)
    (square, across, down) = (sum, sum, sum)
    for y in max(first - reach, 0)..<min(chunk.upperBound + reach, map.height) {
      let start = start(y)
      for x in 0..<width where map.weights[y * width + x] > 0 {
        (value[start + x], hasValue[start + x]) = (map.values[y * width + x], 1)
      }
    }
  }

  /// The offset of pixel 0 of row `y`.
  func start(_ y: Int) -> Int { (y - first + reach) * pitch + reach }

  /// Computes the sums over the windows of row `y`; see ``planeResiduals(_:radius:spacing:threads:)``.
  mutating func addDifferences(row y: Int) {
    let start = start(y)
    let (value, hasValue) = (value, hasValue)
    let (values, known) = (value.span, hasValue.span)
    let here = values.extracting(start..<start + width)
    for x in 0..<width { (sum[x], square[x], across[x], down[x]) = (0, 0, 0, 0) }
    for dy in 0...radius {
      // The loop covers half of the window, since each pixel is paired with the opposite pixel.
      for dx in (dy == 0 ? 1 : -radius)...radius {
        let step = (dy * pitch + dx) * spacing
        let (ahead, behind) = (
          start + step..<start + step + width, start - step..<start - step + width
        )
        addPair(
          here, values.extracting(ahead), values.extracting(behind), known.extracting(ahead),
          known.extracting(behind), Float(dx), Float(dy), &sum, &square, &across, &down)
      }
    }
  }
}

/// Adds two opposite samples of each window to the window's sums.
private func addPair(
  _ here: Span<Float>, _ ahead: Span<Float>, _ behind: Span<Float>, _ hasAhead: Span<Float>,
  _ hasBehind: Span<Float>, _ factorX: Float, _ factorY: Float, _ sum: inout [Float],
  _ square: inout [Float], _ across: inout [Float], _ down: inout [Float]
) {
  var sum = sum.mutableSpan
  var square = square.mutableSpan
  var across = across.mutableSpan
  var down = down.mutableSpan
  let count = here.count
  precondition(
    ahead.count == count && behind.count == count && hasAhead.count == count
      && hasBehind.count == count)
  precondition(
    sum.count == count && square.count == count && across.count == count && down.count == count)
  for x in 0..<count {
    let (hasNext, hasLast) = (hasAhead[x] > 0, hasBehind[x] > 0)
    let (ahead, behind) = (ahead[x] - here[x], behind[x] - here[x])
    let next = hasNext ? ahead : hasLast ? -behind : 0
    let last = hasLast ? behind : hasNext ? -ahead : 0
    sum[x] += next + last
    square[x] += next * next + last * last
    across[x] += factorX * (next - last)
    down[x] += factorY * (next - last)
  }
}
