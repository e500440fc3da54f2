package import DepthBase

/// Compares a predicted map with the true one, row by row, and accumulates the sums for all error measures of
/// the depth literature.
///
/// Sums are in 64 bits. The order and the last bits of sums depend on `isa`.
package struct DepthComparison {
  package private(set) var sums = DepthErrorSums()
  private var counts = BoundaryCounts()
  private let truth: [Float]
  private let width: Int
  private let region: DepthRegion
  private let kernels: MetricKernels
  /// The region's part of this row and of the previous row, rounded to floats. Floats suffice to find possible edges.
  private var rounded, roundedAbove: [Float]
  /// Columns of a row with possible edges.
  private var places: [UInt32]

  /// The edges of both maps so far. A pair with an excluded true depth is omitted.
  package var boundaries: BoundaryCounts { counts.summed }

  /// - Parameters:
  ///   - truth: True depths in metres. Depths outside the region's limits are excluded.
  ///   - width: Columns of both maps.
  /// - Precondition: The region is inside the map, and its nearest depth is not negative.
  package init(
    truth: [Float], width: Int, in region: DepthRegion, isa: InstructionSet = .current
  ) {
    precondition(region.nearest >= 0, "nearest depth \(region.nearest), expected at least 0")
    precondition(
      width > 0 && region.rows.lowerBound >= 0 && region.columns.lowerBound >= 0
        && region.columns.upperBound <= width && region.rows.upperBound * width <= truth.count,
      "rows \(region.rows) and columns \(region.columns) of \(truth.count) depths \(width) wide")
    (self.truth, self.width, self.region) = (truth, width, region)
    kernels = MetricKernels(isa)
    rounded = [Float](repeating: 0, count: region.columns.count)
    roundedAbove = rounded
    places = [UInt32](repeating: 0, count: region.columns.count)
  }

  /// Adds the next row, restricted to the region.
  ///
  /// - Parameters:
  ///   - row: The row's number. Each row is added once, in order.
  ///   - prediction: `width` positive finite depths, metres.
  ///   - above: The previous row's depths.
  /// - Complexity: Two divisions, one logarithm and eight comparisons per pixel, and two more divisions per
  ///   edge.
  package mutating func add(row: Int, _ prediction: [Double], above: [Double]) {
    precondition(
      prediction.count == width && above.count == width,
      "\(prediction.count) depths below \(above.count), expected \(width)")
    guard region.rows.contains(row) else { return }
    let (kernels, truth, columns) = (kernels, truth, region.columns)
    let count = columns.count
    let p = prediction.span.extracting(columns)
    let start = row * width + columns.lowerBound
    let y = truth.span.extracting(start..<start + count)
    sums.add(
      kernels.depthErrors(p, y, nearest: region.nearest, farthest: region.farthest))
    swap(&rounded, &roundedAbove)
    kernels.round(p, into: &rounded)
    let (r, s) = (rounded, roundedAbove)
    if count > 1 {
      let (from, to) = (0..<count - 1, 1..<count)
      addEdges(
        0, from: p.extracting(from), r.span.extracting(from), y.extracting(from),
        to: p.extracting(to), r.span.extracting(to), y.extracting(to))
    }
    if row > region.rows.lowerBound {
      let z = truth.span.extracting(start - width..<start - width + count)
      addEdges(2, from: above.span.extracting(columns), s.span, z, to: p, r.span, y)
    }
  }

  /// Adds the edges of pairs. For the first and second pixels, the arguments are the predicted depths, the
  /// rounded predicted depths, and the true depths.
  private mutating func addEdges(
    _ direction: Int, from p: Span<Double>, _ r: Span<Float>, _ y: Span<Float>,
    to q: Span<Double>, _ s: Span<Float>, _ z: Span<Float>
  ) {
    let found = kernels.edgeCandidates(
      r, s, y, z, ratio: BoundaryCounts.leastRatio, into: &places)
    for place in places.prefix(found) {
      let i = Int(place)
      guard region.isMeasured(y[i]), region.isMeasured(z[i]) else { continue }
      counts.add(direction: direction, found: q[i] / p[i], wanted: Double(z[i]) / Double(y[i]))
    }
  }
}
