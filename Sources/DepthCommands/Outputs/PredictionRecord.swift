import DepthErrors
import DepthImages
import MonocularDepth
import PictureFiles

/// The line that `--json` prints for one photo.
struct PredictionRecord: PhotoRecord {
  /// Facts about an estimated map; keys of the same object.
  struct Prediction: Encodable, Sendable {
    /// Paths of all weights files.
    let weights: [String]
    /// See ``DepthEstimator/weightsSHA256()``.
    let weightsID: String
    let precision: String
    let mirrored: Bool
    let focalLengthPx: Double
    let focalLengthSource: String?
    /// Factor of metres by the focal length; `nil` for relative disparity.
    let depthFactor: Double?
    /// The exponent of the ratio of focal lengths in it; `nil` for relative disparity.
    let focalExponent: Double?
    /// Correction of the map.
    let calibration: CalibrationRecord?
    @OrNull private(set) var spread: Double?
    @OrNull private(set) var uncertainty: Double?

    /// - Parameters:
    ///   - estimate: What the map was made of.
    ///   - pipeline: Of the estimate.
    init(
      _ estimate: DepthEstimate, by pipeline: MapEstimation, weights: [String], weightsID: String
    ) {
      (self.weights, self.weightsID) = (weights, weightsID)
      let (estimator, calibration) = (pipeline.estimator, pipeline.options.calibration)
      let facts = EstimateFacts(of: estimate, by: pipeline)
      (precision, mirrored) = (estimator.precision.rawValue, estimator.averagesMirrored)
      let camera = estimate.camera
      focalLengthPx = camera.camera.focalLength.rounded(toDigits: 1)
      focalLengthSource = facts.focalLengthSource
      depthFactor =
        estimate.depth.unit == .metres ? Double(camera.depthFactor).rounded(toDigits: 5) : nil
      focalExponent = estimate.depth.unit == .metres ? camera.focalExponent : nil
      self.calibration = calibration.map(CalibrationRecord.init)
      spread = estimate.spread
      uncertainty = facts.uncertainty
    }
  }

  let input: String
  /// The fit of relative depth.
  var metres: MetresRecord?
  /// The request; `nil` for a depth file that was refined.
  var request: DepthRequest?
  let outputs: [String]
  let width, height: Int
  let nearM, farM: Float?
  /// The unit of a map without distances, as depth files name it; `nil` for others.
  let unit: String?
  /// The map in metres, if its unit allows it. Its median is computed only when the line is written.
  private let metricMap: DepthMap?
  private let threads: Int
  let prediction: Prediction?
  /// Milliseconds per step (loading, decoding, resizing, network, refinement, encoding) and in total; empty if not measured.
  var milliseconds: [String: Double]
  /// The share of the map beyond what its PNG file can hold; `nil` where there is none.
  let clipped: Double?
  var hint: String?

  /// The line of a map; distances only where it has some.
  init(
    input: String, outputs: [String], depth: DepthMap, prediction: Prediction?,
    threads: Int, milliseconds: [String: Double] = [:], clipped: Double? = nil
  ) {
    self.input = input
    self.clipped = clipped
    self.outputs = outputs
    (width, height) = (depth.width, depth.height)
    metricMap =
      switch depth.unit {
      case .metres: depth
      case .disparity: try? depth.inMetres()
      case .relativeDisparity, .normalized: nil
      }
    unit = depth.unit.isMetric ? nil : StoredUnit(unit: depth.unit).name
    self.threads = threads
    let range = metricMap?.valueRange(threads: threads)
    (nearM, farM) = (range?.low, range?.high)
    (self.prediction, self.milliseconds) = (prediction, milliseconds)
  }

  private enum CodingKeys: CodingKey {
    case input, request, outputs, width, height, unit, nearM, farM, medianM, milliseconds, clipped
    case metres
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(input, forKey: .input)
    try object.encodeIfPresent(request, forKey: .request)
    try object.encode(outputs, forKey: .outputs)
    try object.encode(width, forKey: .width)
    try object.encode(height, forKey: .height)
    try object.encodeIfPresent(unit, forKey: .unit)
    try object.encodeIfPresent(nearM, forKey: .nearM)
    try object.encodeIfPresent(farM, forKey: .farM)
    try object.encodeIfPresent(metricMap?.median(threads: threads), forKey: .medianM)
    if !milliseconds.isEmpty { try object.encode(milliseconds, forKey: .milliseconds) }
    try object.encodeIfPresent(clipped, forKey: .clipped)
    try object.encodeIfPresent(metres, forKey: .metres)
    try prediction?.encode(to: encoder)
  }
}

/// The correction of a map, in the lines of `--json`.
struct CalibrationRecord: Encodable, Sendable {
  /// `1/Z = scale / Ẑ + shift`, the shift in 1 / metres; of relative disparity d `1/Z = scale · d + shift`.
  let scale, shift: Double

  init(_ calibration: DepthCalibration) {
    (scale, shift) = (calibration.scale, calibration.shift)
  }
}
