import DepthBase
import DepthPhotos
import MonocularDepth

/// The record of a photo that a command has processed: a line of `--json`, and part of a line of the manifest.
struct PhotoRecord: Encodable, Sendable {
  let input: String
  /// `nil` for a depth file that was refined.
  var request: (any Request)?
  /// The files written.
  let outputs: [String]
  /// Nearest and farthest distance of the depth map, metres.
  var range: (low: Float, high: Float)?
  /// The distance in focus, metres; `nil` for what has no focus.
  var focusM: Float?
  /// Times of the stages; empty if not measured.
  var milliseconds: [String: Double] = [:]
  let depth: DepthFacts
  /// Other values whose keys are keys of the line.
  let facts: [any Encodable & Sendable]
  /// A hint that helps with the result, as a sentence.
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

  /// "photo.jpg: 1.22 to 5.31 m, wrote photo_depth.png"; `nil` where everything went to standard output.
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

  /// The same record with the time of loading, for the first photo that is done: a stage of its own, or part of getting
  /// the depth.
  func counting(load: Duration) -> Self {
    var record = self
    for stage in ["load", "depth", "total"] {
      guard let time = milliseconds[stage] else { continue }
      // To microseconds, as the parts are.
      record.milliseconds[stage] = (time + load.milliseconds).rounded(toDigits: 3)
    }
    return record
  }
}

/// Keys of a record with the names of a photo and its files: as text, and also as bytes if these are not UTF-8.
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

/// Keys of a record about the depth that files were made from.
struct DepthFacts: Encodable, Sendable {
  /// `nil` for commands with a single source.
  var depthSource: DepthOrigin?
  /// The arithmetic of the network; `nil` where depth was not estimated.
  var precision: String?
  /// `exif`, `option` or `assumed`; `nil` where depth was not estimated.
  var focalLengthSource: String?
  /// See `DepthEstimate.uncertainty`; `nil` for calibrated depth too.
  var uncertainty: Double?
  /// ``uncertainty`` with the photo's camera; see `DepthEstimate.cameraUncertainty`.
  var expectedError: Double?
  /// See `DepthEstimate.toldErrorFactor`; `nil` without ``uncertainty``, and not a key of the record.
  var toldErrorFactor: Double?
  /// Correction of the estimate.
  var calibration: CalibrationRecord?
  /// The fit of relative depth; `nil` where metres are the network's own, and without metres.
  var metres: MetresRecord?
  /// The fit of scale and shift alone to the known distances that the map was moved to.
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
    // The expected error is that of scales without a calibration.
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
  /// Phrase for messages; `nil` for a depth file, which the user named.
  var phrase: String? {
    switch self {
    case .embedded: "depth inside the photo"
    case .network: "depth by the network"
    case .file: nil
    }
  }
}
