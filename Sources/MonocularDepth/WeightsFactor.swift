import DepthErrors
import NeuralEngine
import WeightsFiles

/// A factor that a weights file may state, and that which holds for the package's weights and for files that state none.
struct WeightsFactor {
  let attribute: String
  let usual: Double
  let allowed: ClosedRange<Double>

  /// Of the range of a network's maps in logarithms, for the fit of relative maps.
  ///
  /// On rooms of NYU Depth v2, the range of the package's maps (10 % to 90 %) is .80 on average, that of true depth .96; of the
  /// factors tried, 1.1 had the best δ1.
  static let logRangeWidening = WeightsFactor(
    attribute: "log_range_widening", usual: 1.1, allowed: 0.5...2)

  /// Of expected errors, for photos of other cameras than that of training.
  ///
  /// With cameras that training did not see, the errors of the package's weights are 2.3 times the expected ones on 25 sets of near
  /// frames, and 1.4 times on 18 of far ones (`cameras/measure`).
  static let otherCameraErrors = WeightsFactor(
    attribute: "other_camera_error_factor", usual: 2, allowed: 1...10)
}

extension OpenedWeights {
  /// - Throws: `DepthError` if the file states a factor that is not allowed.
  func factor(_ factor: WeightsFactor) throws -> Double {
    let value = archive.numbers(factor.attribute)?.first ?? factor.usual
    guard factor.allowed.contains(value) else {
      throw DepthError(
        .weightsMismatch, file: name,
        "attribute '\(factor.attribute)' is \(value), expected a number in \(factor.allowed)")
    }
    return value
  }
}
