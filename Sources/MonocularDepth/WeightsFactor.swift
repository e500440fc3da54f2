import DepthErrors
import NeuralEngine
import WeightsFiles

/// A factor in a weights file, with its default.
struct WeightsFactor {
  let attribute: String
  let usual: Double
  let allowed: ClosedRange<Double>

  /// The widening of a metric network's logarithmic depth range when relative maps are fitted to its maps.
  ///
  /// On rooms of NYU Depth v2, the range (10 % to 90 %) averages .80 in the package's maps and .96 in true depth. Among the
  /// factors tried, 1.1 had the best δ1.
  static let logRangeWidening = WeightsFactor(
    attribute: "log_range_widening", usual: 1.1, allowed: 0.5...2)

  /// The factor of expected errors for photos by other cameras than the training camera.
  ///
  /// Errors of the package's weights are 2.3 times the expected errors on 25 sets of near frames, and 1.4 times on 18 sets of
  /// far frames (`cameras/measure`). No set was used for training; 16 sets have the training camera's focal length.
  static let otherCameraErrors = WeightsFactor(
    attribute: "other_camera_error_factor", usual: 2, allowed: 1...10)
}

extension OpenedWeights {
  /// - Throws: `DepthError` if the file has a factor out of range.
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
