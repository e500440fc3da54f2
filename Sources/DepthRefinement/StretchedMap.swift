import CDepthSIMD
import DepthImages
import ThreadTeams

/// A weighted map at the width of a finer grid, whose rows are made when asked for: linear
/// interpolation of value·weight and weight, so that pixels without a value pull nothing along.
struct StretchedMap: Sendable {
  let height, width: Int
  private let map: WeightedMap
  private let rows: SampleTable
  /// Coarse rows at the fine width: value·weight, then weight.
  private let values, weights: [Float]
  let columns: [Int]

  init(_ map: WeightedMap, height: Int, width: Int) {
    (self.map, self.height, self.width) = (map, height, width)
    rows = .linear(from: map.height, to: height)
    columns = nearestSamples(width, from: map.width)
    let table = SampleTable.linear(from: map.width, to: width)
    let products = filledArray(count: map.values.count) { (out: UnsafeMutablePointer<Float>) in
      map.values.withUnsafeBufferPointer { values in
        map.weights.withUnsafeBufferPointer { weights in
          for i in 0..<values.count { out[i] = weights[i] > 0 ? values[i] * weights[i] : 0 }
        }
      }
    }
    values = table.stretched(products, rows: map.height, width: map.width)
    weights = table.stretched(map.weights, rows: map.height, width: map.width)
  }

  /// Fills one fine row of value·weight and of weight.
  ///
  /// - Parameter masked: Whether pixels that lie in a coarse pixel without a value get weight 0.
  func fill(
    row y: Int, masked: Bool, _ kernels: ck_kernels,
    value: UnsafeMutablePointer<Float>, weight: UnsafeMutablePointer<Float>
  ) {
    for (plane, out) in [(values, value), (weights, weight)] {
      plane.withUnsafeBufferPointer { plane in
        rows.weights.withUnsafeBufferPointer { share in
          guard let plane = plane.baseAddress, let share = share.baseAddress else { return }
          kernels.refinement.weighted_sum(
            width, rows.taps, share + y * rows.taps, plane + rows.first[y] * width, width, out)
        }
      }
    }
    if masked, map.hasMissing {
      let size = (height, width)
      maskMissing(value, at: y, of: size, by: map, columns: columns, missing: 0)
      maskMissing(weight, at: y, of: size, by: map, columns: columns, missing: 0)
    }
  }

  /// Writes `missing` where a finished row lies in a coarse pixel without a value.
  func mask(_ row: UnsafeMutablePointer<Float>, at y: Int, missing: Float) {
    guard map.hasMissing else { return }
    maskMissing(
      row, at: y, of: (height, width), by: map, columns: columns, missing: missing)
  }
}

extension SampleTable {
  /// Every row of a plane at the table's width, with room for a kernel to read beyond the end.
  fileprivate func stretched(_ plane: [Float], rows: Int, width: Int) -> [Float] {
    let count = first.count
    guard count != width else { return plane + [Float](repeating: 0, count: widestLanes) }
    return [Float](unsafeUninitializedCapacity: rows * count + widestLanes) { out, filled in
      plane.withUnsafeBufferPointer { plane in
        weights.withUnsafeBufferPointer { weights in
          for y in 0..<rows {
            for x in 0..<count {
              var sum: Float = 0
              for k in 0..<taps { sum += weights[x * taps + k] * plane[y * width + first[x] + k] }
              out[y * count + x] = sum
            }
          }
        }
      }
      for i in rows * count..<rows * count + widestLanes { out[i] = 0 }
      filled = rows * count + widestLanes
    }
  }
}
