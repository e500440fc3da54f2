import DepthBase
import DepthImages

/// A coarse map and its guide as rows of five planes, with the border repeated `taps / 2` times.
struct CoarseRows: Sendable {
  let height, pitch, margin, taps: Int
  /// The planes row by row: red, green, blue, value·weight, weight; then padding for reads beyond
  /// the end.
  let planes: [Float]

  init(_ map: WeightedMap, guide: Image, scale: Float, taps: Int, threads: Int) {
    (height, margin, self.taps) = (map.height, taps / 2, taps)
    let (width, margin, pitch) = (map.width, taps / 2, map.width + taps)
    self.pitch = pitch
    planes = filledRows(
      height: map.height, width: 5 * pitch, grain: 32, padding: widestLanes, threads: threads
    ) { rows, out in
      let (values, weights, pixels) = (map.values.span, map.weights.span, guide.pixels.span)
      out.forEachRow(rows, width: 5 * pitch) { y, line in
        for x in 0..<pitch {
          let q = y * width + min(max(x - margin, 0), width - 1)
          for c in 0..<3 { line[x + c * pitch] = Float(pixels[q * 3 + c]) * scale }
          let weight = weights[q]
          line[x + 3 * pitch] = weight > 0 ? values[q] * weight : 0
          line[x + 4 * pitch] = weight
        }
      }
    }
  }
}

/// The coarse rows in the windows of one fine row.
struct CoarseWindow {
  let rows: CoarseRows
  /// The axes of the fine image: one for columns, and one for rows in ``move(to:_:)``.
  let columns: UpsamplingAxis
  private let lines: UpsamplingAxis
  /// The offsets and weights of the `taps` coarse rows in the planes.
  private(set) var starts: [Int]
  private(set) var shares: [Float]
  /// With two taps, all bits are set if the window at a column has an edge.
  private(set) var edges: [Float]
  /// Scratch for two planes of sums, used with two taps.
  var sums: [Float]
  /// Blocks that may have edges; other columns are treated as edge-free.
  private let allowed: FilteredBlocks?
  private var seen: Int32?

  init(
    _ rows: CoarseRows, lines: UpsamplingAxis, columns: UpsamplingAxis,
    edges allowed: FilteredBlocks?
  ) {
    (self.rows, self.lines, self.columns, self.allowed) = (rows, lines, columns, allowed)
    let room = rows.pitch + widestLanes
    edges = [Float](repeating: 0, count: room)
    sums = [Float](repeating: 0, count: 2 * room)
    starts = [Int](repeating: 0, count: rows.taps)
    shares = [Float](repeating: 0, count: rows.taps)
  }

  /// Moves the window to fine row `y`.
  mutating func move(to y: Int, _ kernels: RefinementKernels) {
    let (taps, pitch) = (rows.taps, rows.pitch)
    for j in 0..<taps { shares[j] = lines.weights[j * lines.pitch + y] }
    guard lines.base[y] != seen else { return }
    seen = lines.base[y]
    for j in 0..<taps {
      starts[j] = 5 * pitch * min(max(Int(lines.base[y]) - rows.margin + j, 0), rows.height - 1)
    }
    guard taps == 2 else { return }
    let (rows, lines, starts, allowed) = (rows, lines, starts, allowed)
    var edges = edges.mutableSpan
    kernels.edgeCells(
      top: rows.planes.span.extracting(droppingFirst: starts[0]),
      bottom: rows.planes.span.extracting(droppingFirst: starts[1]), pitch: pitch, into: &edges)
    let row = min(max(Int(lines.base[y]) - rows.margin, 0), rows.height - 1)
    for run in allowed?.runs(row: row, columns: 0..<pitch - taps) ?? [] where !run.isFiltered {
      // Cell i has columns i − 1 and i of the map.
      edges.withPart(run.columns) { $0.update(repeating: 0) }
    }
  }
}
