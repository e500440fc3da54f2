import DepthErrors
package import DepthImages

extension FrameErrors {
  /// Measures one prediction.
  ///
  /// The prediction is stretched bilinearly to the truth's size, as every protocol requires, one row at a
  /// time: whole maps of doubles would have to go through memory.
  ///
  /// - Parameters:
  ///   - prediction: Metres, of any size.
  ///   - truth: Metres; 0 or not finite where nothing was measured.
  ///   - evaluation: Which pixels count, and up to which depth.
  ///   - scalesMedian: Whether the prediction is first multiplied by the ratio of the medians of truth
  ///     and prediction over the pixels that count, which forgives a wrong scale.
  /// - Throws: `DepthError` with code `noDepth`; `name` names the frame.
  package init(
    of prediction: DepthMap, truth: DepthMap, under evaluation: EvaluationProtocol,
    scalesMedian: Bool = false, name: String
  ) throws {
    let region = evaluation.region(height: truth.height, width: truth.width)
    var rows = BilinearRows(
      prediction.values, height: prediction.height, width: prediction.width,
      toHeight: truth.height, width: truth.width)
    let scale =
      scalesMedian ? try Self.medianScale(&rows, truth, region, name, evaluation) : 1
    let highest = evaluation.largestDepth
    // Most maps have nothing to clamp. An interpolated depth may exceed both neighbors by a rounding error.
    let unclamped = EvaluationProtocol.smallestDepth * 1.0001...highest * 0.9999
    let isInside = scale == 1 && prediction.values.allSatisfy { unclamped.contains(Double($0)) }
    var clamped = 0
    var comparison = DepthComparison(truth: truth.values, width: truth.width, in: region)
    var row = [Double](repeating: 0, count: truth.width)
    var above = row
    for y in 0..<truth.height {
      swap(&row, &above)
      rows.fill(row: y, &row)
      if !isInside { clamped += row.clamp(upTo: highest, scale: scale) }
      comparison.add(row: y, row, above: above)
    }
    guard comparison.sums.count > 0 else {
      throw DepthError.noTruth(frame: name, protocol: evaluation.rawValue)
    }
    self.init(
      sums: comparison.sums, boundaryF1: comparison.boundaries.f1, clamped: clamped,
      holes: region.rows.count * region.columns.count - comparison.sums.count)
  }

  /// median(truth) / median(prediction) over the pixels that count.
  ///
  /// > Source: T. Zhou et al. “Unsupervised Learning of Depth and Ego-Motion from Video.” CVPR 2017,
  /// > section 4.1.
  private static func medianScale(
    _ rows: inout BilinearRows, _ truth: DepthMap, _ region: DepthRegion, _ name: String,
    _ evaluation: EvaluationProtocol
  ) throws -> Double {
    var (found, wanted): ([Double], [Double]) = ([], [])
    var row = [Double](repeating: 0, count: truth.width)
    for y in region.rows {
      rows.fill(row: y, &row)
      _ = row.clamp(upTo: .greatestFiniteMagnitude, scale: 1)
      for x in region.columns where region.isMeasured(truth.values[y * truth.width + x]) {
        found.append(row[x])
        wanted.append(Double(truth.values[y * truth.width + x]))
      }
    }
    guard !found.isEmpty else {
      throw DepthError.noTruth(frame: name, protocol: evaluation.rawValue)
    }
    return median(of: wanted) / median(of: found)
  }
}

extension [Double] {
  /// Raises values that are too low or NaN to the smallest depth, multiplies by `scale` and cuts off at
  /// `highest`.
  ///
  /// - Returns: How many values measured nothing: a millimetre is a depth, if a strange one.
  fileprivate mutating func clamp(upTo highest: Double, scale: Double) -> Int {
    let lowest = EvaluationProtocol.smallestDepth
    var clamped = 0
    for i in indices {
      var depth = self[i]
      if !(depth > lowest && depth <= .greatestFiniteMagnitude) {
        if !(depth > 0) || depth == .infinity { clamped += 1 }
        depth = lowest
      }
      self[i] = Swift.min(Swift.max(depth * scale, lowest), highest)
    }
    return clamped
  }
}
