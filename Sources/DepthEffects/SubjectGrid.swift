import DepthImages

/// A coarse grid of a map in which the subject is found: the nearest large thing that stands upright.
///
/// Cells whose depth changes little from top to bottom are upright, which leaves out floors and tables. Upright cells
/// of about the same depth beside one another are a thing. Its large ones are compared by their median disparity.
struct SubjectGrid {
  /// Cells along the photo's width, and the most along its height.
  private static let (columns, mostRows) = (64, 1024)
  /// Smallest share of the photo that counts as large; also the quantile that is used if nothing is large.
  private static let largeShare = 0.02
  /// A level floor changes by its own disparity in half a photo's height or less; what changes by less than this share
  /// of it over the photo's height is upright.
  private static let uprightChange = 0.8
  /// The largest relative change of disparity from a cell of a thing to the next, and from its first cell to any: a wall
  /// seen from the side does not reach from near to far.
  private static let (step, extent) = (0.06, 0.25)

  private let depth: DepthMap
  private let columns, rows: Int
  /// One number per cell; 0 where there is no value.
  private let values: [Double]

  init(of depth: DepthMap, _ disparity: Disparity) {
    let columns = min(Self.columns, depth.width)
    let height = Double(columns) * Double(depth.height) / Double(depth.width)
    let rows = min(max(Int(height.rounded()), 1), min(depth.height, Self.mostRows))
    values = (0..<rows * columns).map { cell in
      let (x, y) = Self.pixel(of: cell, columns, rows, depth)
      let value = depth.values[y * depth.width + x]
      guard depth.hasValue(value) else { return 0 }
      let number = disparity.linear(value)
      guard !depth.unit.isMetric, !disparity.isConstant else { return number }
      return (number - disparity.far) / (disparity.near - disparity.far)
    }
    (self.depth, self.columns, self.rows) = (depth, columns, rows)
  }

  /// A pixel in the middle of the subject; `nil` where no cell has a value.
  var subject: (x: Int, y: Int)? {
    let least = Self.largeShare * Double(values.count)
    var best: (cells: [Int], level: Double)?
    for cells in things where Double(cells.count) >= least {
      let level = sortedElement(of: cells.map { values[$0] }, at: cells.count / 2)
      if best.map({ level > $0.level }) ?? true { best = (cells, level) }
    }
    let cells = best?.cells ?? nearestCells
    guard !cells.isEmpty else { return nil }
    // The cell nearest to the middle of the thing: the middle of a bent thing may lie beside it.
    let count = Double(cells.count)
    let across = Double(cells.reduce(0) { $0 + $1 % columns }) / count
    let down = Double(cells.reduce(0) { $0 + $1 / columns }) / count
    let cell = cells.min { away($0, across, down) < away($1, across, down) }
    return cell.map { Self.pixel(of: $0, columns, rows, depth) }
  }

  private func away(_ cell: Int, _ across: Double, _ down: Double) -> Double {
    let (x, y) = (Double(cell % columns) - across, Double(cell / columns) - down)
    return x * x + y * y
  }

  /// The cells at about the depth below which few cells lie.
  private var nearestCells: [Int] {
    let known = values.filter { $0 > 0 }
    guard !known.isEmpty else { return [] }
    let rank = known.count - 1 - Int(Double(known.count) * Self.largeShare)
    let level = sortedElement(of: known, at: rank)
    return values.indices.filter { abs(values[$0] - level) <= Self.largeShare * level }
  }

  /// The cells of each thing.
  private var things: [[Int]] {
    var isFree = values.indices.map(isUpright)
    var things: [[Int]] = []
    for start in values.indices where isFree[start] {
      var cells = [start]
      isFree[start] = false
      var next = 0
      while next < cells.count {
        let cell = cells[next]
        next += 1
        for other in neighbors(of: cell) where isFree[other] {
          guard abs(values[other] - values[cell]) <= Self.step * values[cell],
            abs(values[other] - values[start]) <= Self.extent * values[start]
          else { continue }
          isFree[other] = false
          cells.append(other)
        }
      }
      things.append(cells)
    }
    return things
  }

  private func isUpright(_ cell: Int) -> Bool {
    let (row, column) = (cell / columns, cell % columns)
    let (top, bottom) = (max(0, row - 1), min(rows - 1, row + 1))
    let (above, below) = (values[top * columns + column], values[bottom * columns + column])
    guard values[cell] > 0, above > 0, below > 0 else { return false }
    let change = abs(below - above) * Double(rows) / Double(max(bottom - top, 1))
    return change < Self.uprightChange * values[cell]
  }

  private func neighbors(of cell: Int) -> [Int] {
    let column = cell % columns
    return [
      cell >= columns ? cell - columns : nil, cell + columns < values.count ? cell + columns : nil,
      column > 0 ? cell - 1 : nil, column < columns - 1 ? cell + 1 : nil,
    ].compactMap(\.self)
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
  /// A pixel of what ``DepthFocus/subject`` focuses on; `nil` for a map without a value.
  package func subject(threads: Int) -> (x: Int, y: Int)? {
    guard let disparity = try? Disparity(of: self, threads: threads) else { return nil }
    return SubjectGrid(of: self, disparity).subject
  }
}
