import DepthImages

/// A coarse grid of a map for finding the subject: the nearest large object that stands upright or in front.
///
/// Cells whose depth changes little from top to bottom are upright, which excludes floors. Cells much nearer than half of the
/// row stand in front, for example chairs with slats and legs too small for upright cells. A floor has one depth along a row.
///
/// The subject starts with the nearest band of depths that contains enough of these cells, touching or not. It includes
/// adjacent cells of almost the same depth, such as the back of a chair behind its seat.
struct SubjectGrid {
  /// Cells along the photo's width, and the maximum along its height.
  private static let (columns, mostRows) = (64, 1024)
  /// The least share of the photo that a large object fills. If no object is large, the same quantile of depth is used.
  private static let largeShare = 0.02
  /// Within at most half of the photo's height, the disparity of a level floor changes by its own value. Cells with less than
  /// this share of that change, extrapolated to the photo's height, are upright.
  private static let uprightChange = 0.8
  /// The ratio of the row's median depth to the cell's depth above which the cell stands in front.
  private static let frontRatio = 1.25
  /// Ratio of the farthest to the nearest depth of a band.
  private static let bandRatio = 1.3
  /// Largest ratio of two almost equal depths.
  private static let sameRatio = 1.1
  /// Largest distance of adjacent cells, in cells.
  private static let reach = 2
  /// Largest share of the photo that a deep subject may have in front of the focus.
  private static let frontShare = 0.15

  private let depth: DepthMap
  private let columns, rows: Int
  /// One number per cell; 0 without a value.
  private let values: [Double]

  init(of depth: DepthMap, _ disparity: Disparity) {
    let columns = min(Self.columns, depth.width)
    let height = Double(columns) * Double(depth.height) / Double(depth.width)
    let rows = min(max(Int(height.rounded()), 1), min(depth.height, Self.mostRows))
    values = (0..<rows * columns).map { cell in
      let (x, y) = Self.pixel(of: cell, columns, rows, depth)
      guard let value = depth[x: x, y: y] else { return 0 }
      let number = disparity.linear(value)
      guard !depth.unit.isMetric, !disparity.isConstant else { return number }
      return (number - disparity.far) / (disparity.near - disparity.far)
    }
    (self.depth, self.columns, self.rows) = (depth, columns, rows)
  }

  /// A pixel of the subject, at its median depth or nearer; `nil` if no cell has a value.
  var subject: (x: Int, y: Int)? {
    let known = nearestFirst(values.indices.filter { values[$0] > 0 })
    guard !known.isEmpty else { return nil }
    func quantile(_ share: Double) -> Int { known[Int(Double(known.count - 1) * share)] }
    let standing = standing
    guard let band = nearestLargeBand(of: standing) else {
      return Self.pixel(of: quantile(Self.largeShare), columns, rows, depth)
    }
    let cells = nearestFirst(connected(to: band, within: standing))
    // A focus behind this cell would leave more than `frontShare` of the known cells in front of the focus.
    let front = values[quantile(Self.frontShare)]
    let last = cells.lastIndex { values[$0] * Self.sameRatio >= front } ?? 0
    return Self.pixel(of: cells[min(cells.count / 2, last)], columns, rows, depth)
  }

  /// Upright cells and cells that stand in front, nearest first.
  private var standing: [Int] {
    let medians = (0..<rows).map(median(ofRow:))
    return nearestFirst(
      values.indices.filter {
        isUpright($0) || values[$0] > Self.frontRatio * medians[$0 / columns]
      })
  }

  /// The nearest band that contains enough of the sorted cells.
  private func nearestLargeBand(of standing: [Int]) -> ArraySlice<Int>? {
    var end = 0
    for start in standing.indices {
      while end < standing.count,
        values[standing[end]] * Self.bandRatio >= values[standing[start]]
      {
        end += 1
      }
      if Double(end - start) >= Self.largeShare * Double(values.count) {
        return standing[start..<end]
      }
    }
    return nil
  }

  /// The median of a row's cells with a value; infinite for a row without values.
  private func median(ofRow row: Int) -> Double {
    let known = values[row * columns..<(row + 1) * columns].filter { $0 > 0 }.sorted()
    return known.isEmpty ? .infinity : known[known.count / 2]
  }

  /// The cells of a band, and cells connected to it step by step.
  private func connected(to band: ArraySlice<Int>, within standing: [Int]) -> [Int] {
    var isFree = [Bool](repeating: false, count: values.count)
    for cell in standing { isFree[cell] = true }
    for cell in band { isFree[cell] = false }
    var cells = Array(band)
    var next = 0
    while next < cells.count {
      let (row, column) = (cells[next] / columns, cells[next] % columns)
      let value = values[cells[next]]
      for y in max(0, row - Self.reach)...min(rows - 1, row + Self.reach) {
        for x in max(0, column - Self.reach)...min(columns - 1, column + Self.reach) {
          let other = y * columns + x
          guard isFree[other],
            max(value, values[other]) <= Self.sameRatio * min(value, values[other])
          else { continue }
          isFree[other] = false
          cells.append(other)
        }
      }
      next += 1
    }
    return cells
  }

  private func nearestFirst(_ cells: [Int]) -> [Int] {
    cells.sorted { (values[$0], $1) > (values[$1], $0) }
  }

  private func isUpright(_ cell: Int) -> Bool {
    let (row, column) = (cell / columns, cell % columns)
    let (top, bottom) = (max(0, row - 1), min(rows - 1, row + 1))
    let (above, below) = (values[top * columns + column], values[bottom * columns + column])
    guard values[cell] > 0, above > 0, below > 0 else { return false }
    let change = abs(below - above) * Double(rows) / Double(max(bottom - top, 1))
    return change < Self.uprightChange * values[cell]
  }

  /// The pixel in the middle of a cell.
  private static func pixel(
    of cell: Int, _ columns: Int, _ rows: Int, _ depth: DepthMap
  ) -> (x: Int, y: Int) {
    let (column, row) = (cell % columns, cell / columns)
    return (
      (2 * column + 1) * depth.width / (2 * columns), (2 * row + 1) * depth.height / (2 * rows)
    )
  }
}

extension DepthMap {
  /// A pixel of the ``DepthFocus/subject``; `nil` for a map without values.
  package func subject(threads: Int) -> (x: Int, y: Int)? {
    guard let disparity = try? Disparity(of: self, threads: threads) else { return nil }
    return SubjectGrid(of: self, disparity).subject
  }
}
