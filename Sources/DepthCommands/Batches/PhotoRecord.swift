import DepthBase
import DepthPhotos
import MonocularDepth

/// The record of a processed photo: a line of `--json`, and part of a manifest line.
struct PhotoRecord: Encodable, Sendable {
  let input: String
  /// `nil` for a depth file that was refined.
  var request: (any Request)?
  let outputs: [String]
  /// Nearest and farthest distance of the depth map, metres.
  var range: (low: Float, high: Float)?
  /// The distance in focus, metres; `nil` for outputs without a focus.
  var focusM: Float?
  /// Durations of the stages; empty if none was measured.
  var milliseconds: [String: Double] = [:]
  let depth: DepthFacts
  /// Further values, whose keys become keys of the line.
  let facts: [any Encodable & Sendable]
  /// A hint on improving the result, as a sentence.
  var hint: String?

  private enum CodingKeys: CodingKey { case request, focusM, milliseconds }

  func encode(to encoder: any Encoder) throws {
    try PhotoNames(input: input, outputs: outputs).encode(to: encoder)
    var object = encoder.container(keyedBy: CodingKeys.self)
    if let request { try object.encode(request, forKey: .request) }
    try object.encodeIfPresent(focusM, forKey: .focusM)
    if !milliseconds.isEmpty { try object.encode(milliseconds, forKey: .milliseconds) }
    try depth.encode(to: encoder)
    for fact in facts { try fact.encode(to: encoder) }
  }

  /// "photo.jpg: 1.22 to 5.31 m, wrote photo_depth.png"; `nil` if everything went to standard output.
  var sentence: String? {
    let files = outputs.filter { $0 != "-" }.map {
      $0.hasPrefix("./") ? String($0.dropFirst(2)) : $0
    }
    guard !files.isEmpty else { return nil }
    var parts: [String] = []
    if let range {
      parts.append("\(Double(range.low).fixed(2)) to \(Double(range.high).fixed(2)) m")
    }
    if let focusM { parts.append("focus at \(Double(focusM).fixed(2)) m") }
    if let phrase = depth.depthSource?.phrase { parts.append(phrase) }
    parts.append("wrote " + files.joined(separator: ", "))
    return parts.joined(separator: ", ")
  }

  /// The record with the loading time, for the first finished photo.
  ///
  /// Loading is a separate stage, or part of the stage that obtains the depth.
  func counting(load: Duration) -> Self {
    var record = self
    for stage in ["load", "depth", "total"] {
      guard let time = milliseconds[stage] else { continue }
      // Rounded to microseconds, like the stages.
      record.milliseconds[stage] = (time + load.milliseconds).rounded(toDigits: 3)
    }
    return record
  }
}

/// Keys of a record for the names of a photo and its files. Names that are not valid UTF-8 are also
/// stored as bytes.
struct PhotoNames: Encodable {
  private let input: String
  private let pathBase64: String?
  private let outputs: [String]
  private let outputsBase64: [String]?

  init(input: String, outputs: [String]) {
    (self.input, pathBase64) = (input.spelledOut, input.nameBase64)
    (self.outputs, outputsBase64) = (outputs.map(\.spelledOut), outputs.namesBase64)
  }
}

/// Keys of a record about the depth behind the written files.
struct DepthFacts: Encodable, Sendable {
  /// `nil` for commands with a single source of depth.
  var depthSource: DepthOrigin?
  /// The arithmetic of the network; `nil` for depth that was not estimated.
  var precision: String?
  /// Source of the focal length, `exif`, `option` or `assumed`; `nil` for depth that was not estimated.
  var focalLengthSource: String?
  /// See `DepthEstimate.uncertainty`; `nil` for calibrated depth.
  var uncertainty: Double?
  /// ``uncertainty`` for the photo's camera; see `DepthEstimate.cameraUncertainty`.
  var expectedError: Double?
  /// See `DepthEstimate.toldErrorFactor`; `nil` without ``uncertainty``. Not a key of the record.
  var toldErrorFactor: Double?
  /// Correction of the estimate.
  var calibration: CalibrationRecord?
  /// The fit of relative depth to metres; `nil` without metres, or if the network's map is in metres.
  var metres: MetresRecord?
  /// The fit of scale and shift alone to the known distances with which the map is aligned.
  var sparse: DepthCalibration.Fit?

  private enum CodingKeys: CodingKey {
    case depthSource, precision, focalLengthSource, uncertainty, expectedError, calibration, metres,
      sparse
  }
}

extension DepthFacts {
  init(of estimate: DepthEstimate, by estimation: MapEstimation) {
    let (estimator, correction) = (estimation.estimator, estimation.options.calibration)
    precision = estimator.precision.rawValue
    focalLengthSource = estimate.camera.sourceName
    // The expected error applies only to depth without a calibration.
    if correction == nil, let expected = estimate.uncertainty {
      uncertainty = expected
      expectedError = estimate.cameraUncertainty?.rounded(toDigits: 4)
      toldErrorFactor = estimate.toldErrorFactor
    }
    calibration = correction.map(CalibrationRecord.init)
    metres = MetresRecord(of: estimate, by: estimator)
  }
}

extension DepthOrigin {
  /// The source as a phrase for messages; `nil` for a depth file, which the user named.
  var phrase: String? {
    switch self {
    case .embedded: "depth inside the photo"
    case .network: "depth by the network"
    case .file: nil
    }
  }
}
