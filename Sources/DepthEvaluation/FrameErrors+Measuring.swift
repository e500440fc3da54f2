import Kernels
package import Tensors

extension FrameErrors {
  /// Measures one prediction.
  ///
  /// - Parameters:
  ///   - prediction: Metres, of the truth's size.
  ///   - truth: Metres; 0 or not finite where nothing was measured.
  ///   - evaluation: Which pixels count, and up to which depth.
  ///   - scalesMedian: Whether the prediction is first multiplied by the ratio of the medians of truth
  ///     and prediction over the pixels that count, which forgives a wrong scale.
  /// - Throws: ``EvaluationError/noTruth(frame:protocol:)``; `name` stands for the frame.
  /// - Precondition: both maps have one size.
  package init(
    of prediction: [Double], truth: DepthMap, under evaluation: EvaluationProtocol,
    scalesMedian: Bool = false, name: String
  ) throws {
    let region = evaluation.region(height: truth.height, width: truth.width)
    let lowest = EvaluationProtocol.smallestDepth
    var clamped = 0
    var depths = prediction
    // Most maps have nothing to clamp, and are not copied then.
    let highest = evaluation.largestDepth
    let isInside = areWithin(depths, above: lowest, upTo: highest)
    if !isInside {
      for i in depths.indices where !(depths[i] > lowest && depths[i] <= .greatestFiniteMagnitude) {
        // Only what measures nothing is counted: a millimetre is a depth, if a strange one.
        if !(depths[i] > 0) || depths[i] == .infinity { clamped += 1 }
        depths[i] = lowest
      }
    }
    if scalesMedian {
      let scale = try Self.medianScale(depths, truth, region, name, evaluation)
      for i in depths.indices { depths[i] = max(depths[i] * scale, lowest) }
    }
    if !isInside || scalesMedian {
      for i in depths.indices where depths[i] > highest { depths[i] = highest }
    }
    let sums = depthErrorSums(depths, truth: truth.values, width: truth.width, in: region)
    guard sums.count > 0 else {
      throw EvaluationError.noTruth(frame: name, protocol: evaluation.rawValue)
    }
    let counts = boundaryCounts(depths, truth: truth.values, width: truth.width, in: region)
    self.init(
      sums: sums, boundaryF1: counts.f1, clamped: clamped,
      holes: region.rows.count * region.columns.count - sums.count)
  }

  /// median(truth) / median(prediction) over the pixels that count.
  ///
  /// > Source: T. Zhou et al. “Unsupervised Learning of Depth and Ego-Motion from Video.” CVPR 2017,
  /// > section 4.1.
  private static func medianScale(
    _ depths: [Double], _ truth: DepthMap, _ region: DepthRegion, _ name: String,
    _ evaluation: EvaluationProtocol
  ) throws -> Double {
    var (found, wanted): ([Double], [Double]) = ([], [])
    for row in region.rows {
      for i in row * truth.width + region.columns.lowerBound..<row * truth.width
        + region.columns.upperBound
      where region.isMeasured(truth.values[i]) {
        found.append(depths[i])
        wanted.append(Double(truth.values[i]))
      }
    }
    guard !found.isEmpty else {
      throw EvaluationError.noTruth(frame: name, protocol: evaluation.rawValue)
    }
    return median(of: wanted) / median(of: found)
  }
}
