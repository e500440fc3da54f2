import DepthErrors
import NeuralEngine
import WeightsFiles

/// A factor in a weights file, with its default.
struct WeightsFactor {
  let attribute: String
  let usual: Double
  let allowed: ClosedRange<Double>

  /// Widens the range of a network's maps, in logarithms, for the fit of relative maps.
  ///
  /// On rooms of NYU Depth v2, the range of the package's maps (10 % to 90 %) is .80 on average, that of true depth .96; of the
  /// factors tried, 1.1 had the best δ1.
  static let logRangeWidening = WeightsFactor(
    attribute: "log_range_widening", usual: 1.1, allowed: 0.5...2)

  /// Multiplies the expected errors of photos of other cameras than the training camera.
  ///
  /// The errors of the package's weights are 2.3 times the expected ones on 25 sets of near frames, and 1.4 times on 18 of far ones, which
  /// were not used for training (`cameras/measure`); 16 of these sets have the training camera's focal length.
  static let otherCameraErrors = WeightsFactor(
    attribute: "other_camera_error_factor", usual: 2, allowed: 1...10)
}

extension OpenedWeights {
  /// - Throws: `DepthError` if the file states a factor that is not allowed.
  func factor(_ factor: WeightsFactor) throws -> Double {
    let value = archive.numbers(factor.attribute)?.first ?? factor.usual
    let (least, most) = (factor.allowed.lowerBound, factor.allowed.upperBound)
    guard factor.allowed.contains(value) else {
      throw DepthError(
        .weightsMismatch, file: name,
        "attribute '\(factor.attribute)' is \(value), expected \(least) to \(most)")
    }
    return value
  }
}
