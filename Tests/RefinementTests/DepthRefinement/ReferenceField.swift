import DepthImages
import DepthRefinement
import Foundation

/// The minimum of the correction field's energy. Elimination solves the full matrix of derivatives.
struct ReferenceField {
  let values: [Double]

  init(
    _ samples: [CorrectionField.Sample], depth: [Double], guide: Image, sigma: Double
  ) {
    let (height, width) = (guide.height, guide.width)
    let count = height * width
    func weight(_ p: Int, _ q: Int) -> Double {
      let colors = (0..<3).map {
        (Double(guide.pixels[3 * p + $0]) - Double(guide.pixels[3 * q + $0])) / 255
      }
      let distance = colors.map { $0 * $0 }.reduce(0, +)
      let step = (depth[p] - depth[q]).magnitude
      let open = step.isNaN ? 1 : 1 / (1 + pow(step / 0.02, 2))
      return open * (0.5 + 0.5 * exp(-distance / (2 * 0.105 * 0.105)))
    }
    // Each row of a difference matrix belongs to one pair of neighbors.
    var laplacian = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
    for p in 0..<count {
      let neighbors =
        (p % width + 1 < width ? [p + 1] : []) + (p + width < count ? [p + width] : [])
      for q in neighbors {
        laplacian[p][p] += weight(p, q)
        laplacian[q][q] += weight(p, q)
        laplacian[p][q] -= weight(p, q)
        laplacian[q][p] -= weight(p, q)
      }
    }
    let reach = 0.36 * Double(max(height, width))
    var matrix = laplacian
    for p in 0..<count {
      for q in 0..<count {
        let square = (0..<count).reduce(0) { $0 + laplacian[p][$1] * laplacian[$1][q] }
        matrix[p][q] = 100 * laplacian[p][q] + 500 * square + (p == q ? 100 / (reach * reach) : 0)
      }
    }
    var right = [Double](repeating: 0, count: count)
    for sample in samples {
      // Linear interpolation: 1 at a cell's center, 0 at its neighbors' centers.
      func hat(_ cell: Int, _ position: Double, _ cells: Int) -> Double {
        let place = min(max(position * Double(cells) - 0.5, 0), Double(cells - 1))
        return max(0, 1 - abs(place - Double(cell)))
      }
      let shares = (0..<count).map {
        hat($0 / width, sample.row, height) * hat($0 % width, sample.column, width)
      }
      for p in 0..<count {
        right[p] += shares[p] * sample.value / (sigma * sigma)
        for q in 0..<count { matrix[p][q] += shares[p] * shares[q] / (sigma * sigma) }
      }
    }
    for pivot in 0..<count {
      for row in pivot + 1..<count {
        let factor = matrix[row][pivot] / matrix[pivot][pivot]
        guard factor != 0 else { continue }
        for column in pivot..<count { matrix[row][column] -= factor * matrix[pivot][column] }
        right[row] -= factor * right[pivot]
      }
    }
    for row in (0..<count).reversed() {
      for column in row + 1..<count { right[row] -= matrix[row][column] * right[column] }
      right[row] /= matrix[row][row]
    }
    values = right
  }
}
