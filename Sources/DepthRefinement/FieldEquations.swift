import DepthImages

/// The linear equations of a field, times σ²: `(SᵀS + λL + βL² + λ/ℓ²) u = Sᵀr`, where `S` interpolates linearly between cells.
struct FieldEquations {
  private let width: Int
  /// Weights between each cell and the cell to its right, and between each cell and the cell below.
  private var right, below: [Double]
  private let membrane, plate, decay: Double
  /// Four cells around each sample, with their shares.
  private var taps: [(cell: Int, share: Double)] = []
  private var target: [Double]
  private var diagonal: [Double]

  init(
    _ samples: [CorrectionField.Sample], guide: Image, membrane: Double, plate: Double,
    reach: Double, weight: (Int, Int) -> Double
  ) {
    let (height, count) = (guide.height, guide.height * guide.width)
    (width, self.membrane, self.plate) = (guide.width, membrane, plate)
    decay = membrane / (reach * reach)
    let none = [Double](repeating: 0, count: count)
    (right, below, target, diagonal) = (none, none, none, none)
    // The sums of the weights and of the squared weights around each cell are the diagonals of L and L².
    var (sum, squares) = (none, none)
    for p in 0..<count {
      if p % width + 1 < width { right[p] = weight(p, p + 1) }
      if p + width < count { below[p] = weight(p, p + width) }
      for (q, weight) in [(p + 1, right[p]), (p + width, below[p])] where weight > 0 {
        for cell in [p, q] {
          sum[cell] += weight
          squares[cell] += weight * weight
        }
      }
    }
    for p in 0..<count {
      diagonal[p] = decay + membrane * sum[p] + plate * (sum[p] * sum[p] + squares[p])
    }
    for sample in samples {
      let (y, x) = (LinearPlace(sample.row, of: height), LinearPlace(sample.column, of: width))
      for (row, vertical) in [(y.first, 1 - y.share), (y.second, y.share)] {
        for (column, horizontal) in [(x.first, 1 - x.share), (x.second, x.share)] {
          let (cell, share) = (row * width + column, vertical * horizontal)
          taps.append((cell, share))
          target[cell] += share * sample.value
          diagonal[cell] += share * share
        }
      }
    }
  }

  /// `L u`.
  private func differences(_ u: [Double]) -> [Double] {
    var result = [Double](repeating: 0, count: u.count)
    for p in u.indices {
      if right[p] > 0 {
        let flow = right[p] * (u[p] - u[p + 1])
        result[p] += flow
        result[p + 1] -= flow
      }
      if below[p] > 0 {
        let flow = below[p] * (u[p] - u[p + width])
        result[p] += flow
        result[p + width] -= flow
      }
    }
    return result
  }

  /// The left side of the equations.
  private func product(_ u: [Double]) -> [Double] {
    let once = differences(u)
    let twice = differences(once)
    var result = u.indices.map { decay * u[$0] + membrane * once[$0] + plate * twice[$0] }
    for first in stride(from: 0, to: taps.count, by: 4) {
      var value = 0.0
      for tap in first..<first + 4 { value += taps[tap].share * u[taps[tap].cell] }
      for tap in first..<first + 4 { result[taps[tap].cell] += taps[tap].share * value }
    }
    return result
  }

  /// Solves by conjugate gradients, preconditioned by the diagonal, until the residual is 10⁻⁸ of the target.
  ///
  /// - Parameter check: Called at each step. An error ends the work.
  func solution(check: () throws -> Void) rethrows -> [Double] {
    func dot(_ a: [Double], _ b: [Double]) -> Double {
      var sum = 0.0
      for index in a.indices { sum += a[index] * b[index] }
      return sum
    }
    var u = [Double](repeating: 0, count: target.count)
    var residual = target
    var step = u.indices.map { residual[$0] / diagonal[$0] }
    var slope = dot(residual, step)
    let enough = 1e-16 * dot(target, target)
    for _ in 0..<4000 {
      if dot(residual, residual) <= enough { break }
      try check()
      let image = product(step)
      let length = slope / dot(step, image)
      for p in u.indices {
        u[p] += length * step[p]
        residual[p] -= length * image[p]
      }
      let scaled = u.indices.map { residual[$0] / diagonal[$0] }
      let next = dot(residual, scaled)
      for p in u.indices { step[p] = scaled[p] + next / slope * step[p] }
      slope = next
    }
    return u
  }
}

/// The two cells around a position on an axis, and the share of the second.
private struct LinearPlace {
  let first, second: Int
  let share: Double

  /// - Parameter position: A share of the axis, 0…1.
  init(_ position: Double, of count: Int) {
    let cell = min(max(position * Double(count) - 0.5, 0), Double(count - 1))
    first = min(Int(cell), max(count - 2, 0))
    second = min(first + 1, count - 1)
    share = cell - Double(first)
  }
}
