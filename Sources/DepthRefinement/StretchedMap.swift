import CDepthSIMD
import DepthImages
import ThreadTeams

/// Linear interpolation from a coarse grid to a finer one.
struct LinearStretch: Sendable {
  let height, width: Int
  fileprivate let coarseHeight, coarseWidth: Int
  fileprivate let rows, columns: SampleTable

  init(from map: WeightedMap, height: Int, width: Int) {
    (self.height, self.width) = (height, width)
    (coarseHeight, coarseWidth) = (map.height, map.width)
    rows = .linear(from: map.height, to: height)
    columns = .linear(from: map.width, to: width)
  }
}

/// Numbers of a coarse grid at the width of a finer one, whose rows are made when asked for.
struct StretchedPlane: Sendable {
  private let stretch: LinearStretch
  /// Every coarse row at the fine width, with room for a kernel to read beyond the end.
  private let numbers: [Float]

  /// - Parameter numbers: One for each pixel of the coarse grid.
  init(_ numbers: [Float], by stretch: LinearStretch, threads: Int) {
    self.stretch = stretch
    let (rows, coarse, width) = (stretch.coarseHeight, stretch.coarseWidth, stretch.width)
    precondition(
      numbers.count == rows * coarse, "\(numbers.count) numbers, expected \(rows * coarse)")
    guard width != coarse else {
      self.numbers = numbers + [Float](repeating: 0, count: widestLanes)
      return
    }
    let table = stretch.columns
    self.numbers = filledArray(count: rows * width + widestLanes) {
      (out: UnsafeMutablePointer<Float>) in
      (out + rows * width).update(repeating: 0, count: widestLanes)
      numbers.withUnsafeBufferPointer { numbers in
        table.weights.withUnsafeBufferPointer { weights in
          table.first.withUnsafeBufferPointer { first in
            // Each chunk writes only the rows it was given.
            nonisolated(unsafe) let (numbers, weights, first, out) = (numbers, weights, first, out)
            parallelFor(rows, grain: 16, threads: threads) { chunk in
              for y in chunk {
                for x in 0..<width {
                  var sum: Float = 0
                  for k in 0..<table.taps {
                    sum += weights[x * table.taps + k] * numbers[y * coarse + first[x] + k]
                  }
                  out[y * width + x] = sum
                }
              }
            }
          }
        }
      }
    }
  }

  /// Fills one fine row.
  func fill(row y: Int, _ kernels: ck_kernels, into out: UnsafeMutablePointer<Float>) {
    let (rows, width) = (stretch.rows, stretch.width)
    numbers.withUnsafeBufferPointer { numbers in
      rows.weights.withUnsafeBufferPointer { share in
        guard let numbers = numbers.baseAddress, let share = share.baseAddress else { return }
        kernels.refinement.weighted_sum(
          width, rows.taps, share + y * rows.taps, numbers + rows.first[y] * width, width, out)
      }
    }
  }
}

/// A weighted map at the width of a finer grid, whose rows are made when asked for: linear
/// interpolation of value·weight and weight, so that pixels without a value pull nothing along.
struct StretchedMap: Sendable {
  let height, width: Int
  private let map: WeightedMap
  private let values, weights: StretchedPlane
  private let columns: [Int]

  init(_ map: WeightedMap, height: Int, width: Int, threads: Int) {
    (self.map, self.height, self.width) = (map, height, width)
    columns = map.hasMissing ? nearestSamples(width, from: map.width) : []
    let stretch = LinearStretch(from: map, height: height, width: width)
    values = StretchedPlane(map.products, by: stretch, threads: threads)
    weights = StretchedPlane(map.weights, by: stretch, threads: threads)
  }

  /// Fills one fine row of value·weight and of weight.
  ///
  /// - Parameter masked: Whether pixels that lie in a coarse pixel without a value get weight 0.
  func fill(
    row y: Int, masked: Bool, _ kernels: ck_kernels,
    value: UnsafeMutablePointer<Float>, weight: UnsafeMutablePointer<Float>
  ) {
    values.fill(row: y, kernels, into: value)
    weights.fill(row: y, kernels, into: weight)
    if masked {
      mask(value, at: y, missing: 0)
      mask(weight, at: y, missing: 0)
    }
  }

  /// Writes `missing` where a finished row lies in a coarse pixel without a value.
  func mask(_ row: UnsafeMutablePointer<Float>, at y: Int, missing: Float) {
    guard map.hasMissing else { return }
    maskMissing(
      row, at: y, of: (height, width), by: map, columns: columns, missing: missing)
  }
}

extension WeightedMap {
  /// Value·weight for each pixel, 0 for those without a value.
  var products: [Float] {
    filledArray(count: values.count) { (out: UnsafeMutablePointer<Float>) in
      values.withUnsafeBufferPointer { values in
        weights.withUnsafeBufferPointer { weights in
          for i in 0..<values.count { out[i] = weights[i] > 0 ? values[i] * weights[i] : 0 }
        }
      }
    }
  }
}
