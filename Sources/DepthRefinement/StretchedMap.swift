import DepthBase
import DepthImages

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

/// Numbers of a coarse grid at the width of a finer grid, with rows computed on demand.
struct StretchedPlane: Sendable {
  private let stretch: LinearStretch
  /// Every coarse row at the fine width, padded for a kernel's reads beyond the end.
  private let numbers: [Float]

  /// - Parameter numbers: One number per pixel of the coarse grid.
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
    self.numbers = filledRows(
      height: rows, width: width, grain: 16, padding: widestLanes, threads: threads
    ) { chunk, out in
      let (weights, first) = (table.weights.span, table.first.span)
      out.forEachRow(chunk, width: width) { y, out in
        let numbers = numbers.span.extracting(y * coarse..<(y + 1) * coarse)
        for x in 0..<width {
          var sum: Float = 0
          for k in 0..<table.taps { sum += weights[x * table.taps + k] * numbers[first[x] + k] }
          out[x] = sum
        }
      }
    }
  }

  /// Computes one fine row.
  func fill(row y: Int, _ kernels: RefinementKernels, into out: inout MutableSpan<Float>) {
    let rows = stretch.rows
    kernels.weightedSum(
      rows.weights.span.extracting(y * rows.taps..<(y + 1) * rows.taps),
      numbers.span.extracting(droppingFirst: rows.first[y] * stretch.width), step: stretch.width,
      into: &out)
  }
}

extension StretchedPlane {
  /// Computes one fine row, which fills `out`.
  func fill(row y: Int, _ kernels: RefinementKernels, into out: inout [Float]) {
    var span = out.mutableSpan
    fill(row: y, kernels, into: &span)
  }
}

/// A weighted map at the width of a finer grid, with rows computed on demand. Value·weight and
/// weight are interpolated linearly, so that pixels without a value have no effect.
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

  /// Computes one fine row of value·weight.
  ///
  /// - Parameter masked: Whether pixels inside a coarse pixel without a value become 0.
  func fillValues(
    row y: Int, masked: Bool, _ kernels: RefinementKernels, into out: inout MutableSpan<Float>
  ) {
    values.fill(row: y, kernels, into: &out)
    if masked { mask(&out, at: y, missing: 0) }
  }

  /// Computes one fine row of weights; see ``fillValues(row:masked:_:into:)``.
  func fillWeights(
    row y: Int, masked: Bool, _ kernels: RefinementKernels, into out: inout MutableSpan<Float>
  ) {
    weights.fill(row: y, kernels, into: &out)
    if masked { mask(&out, at: y, missing: 0) }
  }

  /// Writes `missing` to the pixels of a finished row in a coarse pixel without a value.
  func mask(_ row: inout MutableSpan<Float>, at y: Int, missing: Float) {
    guard map.hasMissing else { return }
    maskMissing(
      &row, at: y, of: (height, width), by: map, columns: columns, missing: missing)
  }
}

extension WeightedMap {
  /// Value·weight of each pixel, 0 without a value.
  var products: [Float] {
    filledArray(count: values.count) { out in
      let (values, weights) = (values.span, weights.span)
      precondition(values.count == out.count && weights.count == out.count)
      for i in 0..<out.count { out[i] = weights[i] > 0 ? values[i] * weights[i] : 0 }
    }
  }
}
