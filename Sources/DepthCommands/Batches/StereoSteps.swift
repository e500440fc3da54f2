import DepthBase
import DepthImages
import DepthPhotos
import MonocularDepth
import PictureFiles
import StereoPhotos

/// Encoded views and the depth that they were made from.
struct MadeStereo {
  let map: DepthMap
  let facts: EstimateFacts
  let files: [StereoFile]
}

/// The steps of `depth stereo`.
struct StereoSteps: PhotoSteps {
  let depths: DepthProvider
  let output: StereoPhotoOutput
  let request: StereoRequest

  func read(_ task: PhotoTask) throws -> ReadPhoto {
    try depths.read(
      task, for: { _ in .stereo }, pixels: request.pixels(of:), check: { try $0.requireOneView() })
  }

  func estimate(
    _ source: ReadPhoto, _ task: PhotoTask
  ) throws -> MadeStereo {
    let (map, facts) = try source.map(task, options: { $0.fitForViews(of: source.image) })
    if request.stereoFormat == .wiggleGIF, let note = source.image.noteOfUnknownProfile {
      task.log(note)
    }
    task.begin(.rendering)
    return try namingFailures(of: task.photo.path) {
      MadeStereo(
        map: map, facts: facts,
        files: try request.files(of: source.image.signed, depth: map, call: task.call))
    }
  }

  func write(
    _ made: MadeStereo, of source: ReadPhoto, _ task: PhotoTask
  ) throws -> StereoRecord {
    let written = try output.write(made.files, task)
    let metres = made.map.unit == .metres ? made.map.range() : nil
    return StereoRecord(
      input: task.photo.path, request: request, outputs: written,
      format: request.stereoFormat.name, depthSource: source.origin, precision: source.precision,
      focalLengthSource: made.facts.focalLengthSource, uncertainty: made.facts.uncertainty,
      milliseconds: task.milliseconds("views", .rendering),
      nearM: metres?.low, farM: metres?.high, calibration: source.calibration,
      metres: made.facts.metres)
  }
}

/// The line that `--json` prints.
struct StereoRecord: PhotoRecord {
  let input: String
  /// The request.
  let request: StereoRequest
  let outputs: [String]
  let format: String
  let depthSource: DepthOrigin?
  /// The arithmetic of the network; `nil` where the depth was not estimated.
  let precision: String?
  /// See ``EstimateFacts``.
  let focalLengthSource: String?
  let uncertainty: Double?
  var milliseconds: [String: Double]
  /// Nearest and farthest depth of a map in metres; in the manifest only.
  let nearM, farM: Float?
  /// Correction of the estimate.
  let calibration: CalibrationRecord?
  /// The fit of relative depth.
  let metres: MetresRecord?

  private enum CodingKeys: CodingKey {
    case input, request, outputs, format, depthSource, precision, focalLengthSource, uncertainty
    case milliseconds, calibration, metres
  }
}
