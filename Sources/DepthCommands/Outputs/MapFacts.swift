import DepthImages
import MonocularDepth
import PictureFiles

/// Keys of a record about a finished map. If the map's unit is unknown, the keys of distances are omitted.
struct MapFacts: Encodable, Sendable {
  let width, height: Int
  let nearM, farM: Float?
  /// The unit of a map without distances, by its name in depth files; `nil` for metric maps.
  let unit: String?
  /// The share of the map beyond the range of its PNG file; `nil` if the share is 0.
  let clipped: Double?
  /// The map in metres, if it can be converted. Its median is computed only when the record is encoded.
  private let metricMap: DepthMap?
  private let threads: Int

  init(_ map: FinishedMap, threads: Int) {
    self.init(map.depth, clipped: map.clipped, threads: threads)
  }

  init(_ depth: DepthMap, clipped: Double? = nil, threads: Int) {
    (width, height) = (depth.width, depth.height)
    (self.clipped, self.threads) = (clipped, threads)
    metricMap =
      switch depth.unit {
      case .metres: depth
      case .disparity: try? depth.inMetres()
      case .relativeDisparity, .normalized: nil
      }
    unit = depth.unit.isMetric ? nil : StoredUnit(unit: depth.unit).name
    let range = metricMap?.valueRange(threads: threads)
    (nearM, farM) = (range?.low, range?.high)
  }

  private enum CodingKeys: CodingKey {
    case width, height, unit, nearM, farM, medianM, clipped
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(width, forKey: .width)
    try object.encode(height, forKey: .height)
    try object.encodeIfPresent(unit, forKey: .unit)
    try object.encodeIfPresent(nearM, forKey: .nearM)
    try object.encodeIfPresent(farM, forKey: .farM)
    try object.encodeIfPresent(metricMap?.median(threads: threads), forKey: .medianM)
    try object.encodeIfPresent(clipped, forKey: .clipped)
  }
}

/// Keys of a record about an estimated map, in addition to the keys of ``DepthFacts``.
private struct EstimateFacts: Encodable {
  /// Paths of all weights files.
  let weights: [String]
  /// See ``DepthEstimator/weightsIdentifier()``.
  let weightsID: String
  let mirrored: Bool
  let focalLengthPx: Double
  /// The angle of view along the longer side, if estimated by the network; `nil` for a known or assumed camera.
  let fieldOfViewDegrees: Double?
  /// Factor by which the focal length changes metres; `nil` for relative disparity.
  let depthFactor: Double?
  /// The exponent of the ratio of focal lengths in ``depthFactor``; `nil` for relative disparity.
  let focalExponent: Double?
  let spread, uncertainty, expectedError: OrNull<Double>
}

extension PhotoRecord {
  init(
    of map: MapFacts, input: String, request: (any Request)? = nil, outputs: [String],
    milliseconds: [String: Double] = [:], depth: DepthFacts,
    facts: [any Encodable & Sendable] = [], hint: String? = nil
  ) {
    var range: (low: Float, high: Float)?
    if let near = map.nearM, let far = map.farM { range = (near, far) }
    self.init(
      input: input, request: request, outputs: outputs, range: range, milliseconds: milliseconds,
      depth: depth, facts: [map] + facts, hint: hint)
  }

  init(
    of map: MapFacts, input: String, request: (any Request)? = nil, outputs: [String],
    milliseconds: [String: Double] = [:], of estimate: DepthEstimate,
    by estimation: MapEstimation, weights: [String], weightsID: String, hint: String? = nil
  ) {
    let (estimator, camera) = (estimation.estimator, estimate.camera)
    let isMetric = estimate.depth.unit == .metres
    let depth = DepthFacts(of: estimate, by: estimation)
    self.init(
      of: map, input: input, request: request, outputs: outputs, milliseconds: milliseconds,
      depth: depth,
      facts: [
        EstimateFacts(
          weights: weights, weightsID: weightsID, mirrored: estimator.averagesMirrored,
          focalLengthPx: camera.camera.focalLength.rounded(toDigits: 1),
          fieldOfViewDegrees: camera.source == .estimated
            ? camera.camera.fieldOfView.rounded(toDigits: 2) : nil,
          depthFactor: isMetric ? Double(camera.depthFactor).rounded(toDigits: 5) : nil,
          focalExponent: isMetric ? camera.focalExponent : nil,
          spread: OrNull(wrappedValue: estimate.spread),
          uncertainty: OrNull(wrappedValue: depth.uncertainty),
          expectedError: OrNull(wrappedValue: depth.expectedError))
      ], hint: hint)
  }
}

/// The calibration of a map, in the lines of `--json`.
struct CalibrationRecord: Encodable, Sendable {
  /// The correction `1/Z = scale / Ẑ + shift`, with the shift in 1 / metres; for relative disparity d,
  /// `1/Z = scale · d + shift`.
  let scale, shift: Double

  init(_ calibration: DepthCalibration) {
    (scale, shift) = (calibration.scale, calibration.shift)
  }
}
