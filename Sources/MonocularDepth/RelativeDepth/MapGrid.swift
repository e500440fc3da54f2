import DepthImages

/// The means of a map over 48 × 64 cells, for maps of any size. A pixel may belong to several cells
/// in part.
struct MapGrid {
  static let rows = 48, columns = 64

  /// The mean of each cell, row by row; NaN for a cell with values in less than half of its area.
  let means: [Double]

  /// - Parameters:
  ///   - values: Row by row.
  ///   - value: The number of a pixel; NaN for a pixel without a value.
  init(_ values: [Float], height: Int, width: Int, _ value: (Float) -> Double) {
    let (across, down) = (
      Self.overlaps(of: width, cells: Self.columns), Self.overlaps(of: height, cells: Self.rows)
    )
    var sums = [Double](repeating: 0, count: Self.rows * Self.columns)
    var areas = sums
    var next = 0
    for row in 0..<height {
      var sum = [Double](repeating: 0, count: Self.columns)
      var area = sum
      for overlap in across {
        let number = value(values[row * width + overlap.pixel])
        guard !number.isNaN else { continue }
        sum[overlap.cell] += overlap.length * number
        area[overlap.cell] += overlap.length
      }
      while next < down.count, down[next].pixel == row {
        let (first, length) = (down[next].cell * Self.columns, down[next].length)
        for column in 0..<Self.columns {
          sums[first + column] += length * sum[column]
          areas[first + column] += length * area[column]
        }
        next += 1
      }
    }
    // Rounding errors of the overlaps must not affect the comparison with a half.
    let half = 0.5 * Double(height * width) / Double(Self.rows * Self.columns) * (1 - 1e-9)
    means = zip(sums, areas).map { $1 >= half ? $0 / $1 : .nan }
  }

  /// The part of a pixel inside a cell, along one axis.
  private struct Overlap {
    let pixel, cell: Int
    let length: Double
  }

  /// The parts of all pixels, pixel by pixel.
  private static func overlaps(of pixels: Int, cells: Int) -> [Overlap] {
    (0..<pixels).flatMap { pixel in
      // Positions are in units of 1 / cells pixels, in which all borders are integers.
      let (start, end) = (pixel * cells, (pixel + 1) * cells)
      return (start / pixels...(end - 1) / pixels).map { cell in
        let length = min(end, (cell + 1) * pixels) - max(start, cell * pixels)
        return Overlap(pixel: pixel, cell: cell, length: Double(length) / Double(cells))
      }
    }
  }
}

extension [Double] {
  /// A weighted quantile. Each value is at the center of its weight, with linear interpolation
  /// between values.
  ///
  /// - Parameters:
  ///   - share: 0…1.
  ///   - weights: One positive weight per value.
  /// - Precondition: The array is not empty.
  func quantile(_ share: Double, weights: [Double]) -> Double {
    let order = indices.sorted { (self[$0], $0) < (self[$1], $1) }
    let total = weights.reduce(0, +)
    var (passed, last) = (0.0, (place: -Double.infinity, value: self[order[0]]))
    for index in order {
      let place = (passed + 0.5 * weights[index]) / total
      if place >= share {
        guard last.place.isFinite, place > last.place else { return self[index] }
        return last.value + (share - last.place) / (place - last.place) * (self[index] - last.value)
      }
      passed += weights[index]
      last = (place, self[index])
    }
    return last.value
  }

  /// Spearman's rank correlation, with the mean rank for equal values; 0 if either array is constant.
  func rankCorrelation(with other: [Double]) -> Double {
    let (a, b) = (centeredRanks, other.centeredRanks)
    let product = zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
    let squares = (a.reduce(0) { $0 + $1 * $1 }, b.reduce(0) { $0 + $1 * $1 })
    guard squares.0 > 0, squares.1 > 0 else { return 0 }
    return product / (squares.0 * squares.1).squareRoot()
  }

  /// Each value's rank in ascending order, minus the mean rank.
  private var centeredRanks: [Double] {
    let order = indices.sorted { self[$0] < self[$1] }
    var ranks = [Double](repeating: 0, count: count)
    var first = 0
    while first < count {
      var end = first + 1
      while end < count, self[order[end]] == self[order[first]] { end += 1 }
      for place in first..<end {
        ranks[order[place]] = 0.5 * Double(first + end - 1) - 0.5 * Double(count - 1)
      }
      first = end
    }
    return ranks
  }
}
