import DepthErrors
import DepthImages

/// A correction of maps before measurement.
package enum MapAdjustment: Hashable, Sendable {
  /// No correction.
  case none
  /// A scale: the map is multiplied by median(truth) / median(prediction) over the pixels that count.
  ///
  /// > Source: T. Zhou et al. “Unsupervised Learning of Depth and Ego-Motion from Video.” CVPR 2017,
  /// > section 4.1.
  case medianScale
  /// Scale and shift of disparity, by ``DisparityAlignment``.
  case disparityAlignment
}

/// A correction that is fitted to one frame.
///
/// The correction converts rows of predictions to positive finite depths in metres.
enum FittedAdjustment {
  case scale(Double)
  /// An alignment, and whether predictions are in disparity instead of metres.
  case alignment(DisparityAlignment, isDisparity: Bool)

  /// - Throws: `DepthError` with code `noDepth` if no true depth of the frame `name` counts.
  init(
    _ adjustment: MapAdjustment, of rows: inout BilinearRows, unit: DepthMap.Unit, truth: DepthMap,
    in region: DepthRegion, name: String, under evaluation: EvaluationProtocol
  ) throws {
    switch adjustment {
    case .none: self = .scale(1)
    case .medianScale:
      let (found, wanted) = rows.measuredDepths(of: truth, in: region)
      guard !found.isEmpty else {
        throw DepthError.noTruth(frame: name, protocol: evaluation.rawValue)
      }
      self = .scale(median(of: wanted) / median(of: found))
    case .disparityAlignment:
      let isDisparity = unit == .disparity || unit == .relativeDisparity
      var (line, farthest) = (LeastSquaresLine(), 0.0)
      rows.forEachMeasured(of: truth, in: region) { prediction, truth in
        farthest = max(farthest, truth)
        if let disparity = Self.disparity(prediction, isDisparity: isDisparity) {
          line.add(disparity, 1 / truth)
        }
      }
      guard farthest > 0 else {
        throw DepthError.noTruth(frame: name, protocol: evaluation.rawValue)
      }
      self = .alignment(
        DisparityAlignment(line, farthestTruth: farthest), isDisparity: isDisparity)
    }
  }

  /// Whether values between the smallest depth and `highest` are unchanged.
  var keepsDepths: Bool {
    if case .scale(1) = self { true } else { false }
  }

  /// Adjusts a row and limits it to `highest`.
  ///
  /// Predictions that are too low, infinite or NaN become the smallest depth, a millimetre.
  ///
  /// - Returns: The number of values that are not a valid depth or disparity.
  func adjust(_ row: inout [Double], upTo highest: Double) -> Int {
    let lowest = EvaluationProtocol.smallestDepth
    var clamped = 0
    for i in row.indices {
      var depth = lowest
      switch self {
      case .scale(let scale):
        if row[i].isDepth {
          depth = row[i]
        } else if !(row[i] > 0) || row[i] == .infinity {
          clamped += 1
        }
        depth *= scale
      case .alignment(let alignment, let isDisparity):
        if let disparity = Self.disparity(row[i], isDisparity: isDisparity) {
          depth = alignment.depth(of: disparity)
        } else if !(row[i] > 0) || !row[i].isFinite {
          clamped += 1
        }
      }
      row[i] = min(max(depth, lowest), highest)
    }
    return clamped
  }

  /// The disparity of a prediction; 0 for an infinitely distant point. A prediction that is not a depth
  /// has no disparity.
  private static func disparity(_ prediction: Double, isDisparity: Bool) -> Double? {
    if isDisparity { return prediction.isFinite ? prediction : nil }
    return prediction.isDepth ? 1 / prediction : nil
  }
}

extension Double {
  /// Whether a prediction is finite and exceeds the smallest depth.
  var isDepth: Bool {
    self > EvaluationProtocol.smallestDepth && self <= .greatestFiniteMagnitude
  }
}

extension BilinearRows {
  /// Predictions and truths of all pixels that count. Predictions are at least the smallest depth.
  mutating func measuredDepths(
    of truth: DepthMap, in region: DepthRegion
  ) -> (found: [Double], wanted: [Double]) {
    var (found, wanted): ([Double], [Double]) = ([], [])
    forEachMeasured(of: truth, in: region) { prediction, truth in
      found.append(prediction.isDepth ? prediction : EvaluationProtocol.smallestDepth)
      wanted.append(truth)
    }
    return (found, wanted)
  }

  /// Calls `body` with prediction and truth of every pixel that counts.
  mutating func forEachMeasured(
    of truth: DepthMap, in region: DepthRegion, _ body: (Double, Double) -> Void
  ) {
    var row = [Double](repeating: 0, count: truth.width)
    for y in region.rows {
      fill(row: y, &row)
      for x in region.columns where region.isMeasured(truth.values[y * truth.width + x]) {
        body(row[x], Double(truth.values[y * truth.width + x]))
      }
    }
  }
}
