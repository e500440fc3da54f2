import CDepthSIMD
package import SIMDKernels

/// A predicted map compared with the true one, row by row: the sums that all error measures of the depth
/// literature are made of.
///
/// In 64 bits; the order of the sums, and so their last bits, depends on `isa`.
package struct DepthComparison {
  package private(set) var sums = DepthErrorSums()
  private var counts = BoundaryCounts()
  private let truth: [Float]
  private let width: Int
  private let region: DepthRegion
  private let kernels: UnsafePointer<ck_kernels>
  /// The region's part of this row and of the one before, rounded: enough to find where edges may be.
  private var rounded, roundedAbove: [Float]
  /// Columns where a row may have edges.
  private var places: [UInt32]

  /// Edges of both maps, so far. Pairs of which the truth of either pixel does not count are left out.
  package var boundaries: BoundaryCounts { counts.summed }

  /// - Parameters:
  ///   - truth: True depths, metres; those outside the region's limits do not count.
  ///   - width: Columns of both maps.
  /// - Precondition: the region lies in the map, and its nearest depth is not negative.
  package init(
    truth: [Float], width: Int, in region: DepthRegion, isa: InstructionSet = .current
  ) {
    precondition(region.nearest >= 0, "nearest depth \(region.nearest), expected at least 0")
    precondition(
      width > 0 && region.rows.lowerBound >= 0 && region.columns.lowerBound >= 0
        && region.columns.upperBound <= width && region.rows.upperBound * width <= truth.count,
      "rows \(region.rows) and columns \(region.columns) of \(truth.count) depths \(width) wide")
    (self.truth, self.width, self.region) = (truth, width, region)
    kernels = isa.kernels
    rounded = [Float](repeating: 0, count: region.columns.count)
    roundedAbove = rounded
    places = [UInt32](repeating: 0, count: region.columns.count)
  }

  /// Adds the next row, of which only the region counts.
  ///
  /// - Parameters:
  ///   - row: Its number; rows come in order and each once.
  ///   - prediction: `width` positive finite depths, metres.
  ///   - above: Those of the row before.
  /// - Complexity: Two divisions, one logarithm and eight comparisons per pixel; two more divisions per edge.
  package mutating func add(row: Int, _ prediction: [Double], above: [Double]) {
    precondition(
      prediction.count == width && above.count == width,
      "\(prediction.count) depths below \(above.count), expected \(width)")
    guard region.rows.contains(row) else { return }
    prediction.withUnsafeBufferPointer { prediction in
      above.withUnsafeBufferPointer { above in
        guard let p = prediction.baseAddress, let above = above.baseAddress else { return }
        add(row: row, p + region.columns.lowerBound, above: above + region.columns.lowerBound)
      }
    }
  }

  /// `p` and `above` point to the region's first column.
  private mutating func add(
    row: Int, _ p: UnsafePointer<Double>, above: UnsafePointer<Double>
  ) {
    let count = region.columns.count
    truth.withUnsafeBufferPointer { truth in
      guard let start = truth.baseAddress else { return }
      let y = start + row * width + region.columns.lowerBound
      var errors = ck_depth_errors()
      kernels.pointee.metrics.depth_errors(count, p, y, region.nearest, region.farthest, &errors)
      sums.add(errors)
      swap(&rounded, &roundedAbove)
      kernels.pointee.metrics.round_row(count, p, &rounded)
      rounded.withUnsafeBufferPointer { rounded in
        roundedAbove.withUnsafeBufferPointer { roundedAbove in
          guard let r = rounded.baseAddress, let s = roundedAbove.baseAddress else { return }
          let here = Depths(p: p, rounded: r, y: y)
          if count > 1 {
            addEdges(0, count - 1, from: here, to: Depths(p: p + 1, rounded: r + 1, y: y + 1))
          }
          if row > region.rows.lowerBound {
            addEdges(2, count, from: Depths(p: above, rounded: s, y: y - width), to: here)
          }
        }
      }
    }
  }

  /// Predicted depths, the same rounded, and true ones.
  private struct Depths {
    let p: UnsafePointer<Double>
    let rounded, y: UnsafePointer<Float>
  }

  private mutating func addEdges(_ direction: Int, _ pairs: Int, from a: Depths, to b: Depths) {
    let found = kernels.pointee.metrics.edge_candidates(
      pairs, a.rounded, b.rounded, a.y, b.y, BoundaryCounts.leastRatio, &places)
    for place in places.prefix(found) {
      let i = Int(place)
      guard region.isMeasured(a.y[i]), region.isMeasured(b.y[i]) else { continue }
      counts.add(
        direction: direction, found: b.p[i] / a.p[i], wanted: Double(b.y[i]) / Double(a.y[i]))
    }
  }
}
