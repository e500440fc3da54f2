import DepthBase
import DepthImages
import DepthPhotos
import PictureFiles

/// An encoded picture with its nearest, farthest and focus distance, metres.
struct MadeEffect {
  let bytes: [UInt8]
  let facts: EstimateFacts
  let nearM, farM, focusM: Float?
}

/// The steps of `depth effect`.
struct EffectSteps: PhotoSteps {
  let depths: DepthProvider
  let output: EffectOutput
  let request: EffectRequest

  func read(_ task: PhotoTask) throws -> ReadPhoto {
    try depths.read(task, for: { _ in .effect })
  }

  func estimate(
    _ source: ReadPhoto, _ task: PhotoTask
  ) throws -> MadeEffect {
    try namingFailures(of: task.photo.path) {
      let (map, facts) = try source.map(task)
      task.begin(.rendering)
      let depth = try request.depth(map, for: source.image, threads: task.call.threads)
      if let hint = request.hint(for: depth) { task.log(hint) }
      let bytes = try request.encoded(
        source.image.signed, depth: depth, as: output.format, call: task.call)
      let metres = depth.unit == .metres ? depth.range() : nil
      return MadeEffect(
        bytes: bytes, facts: facts, nearM: metres?.low, farM: metres?.high,
        focusM: try request.focusDistance(in: depth, for: source.image, threads: task.call.threads))
    }
  }

  func write(
    _ made: MadeEffect, of source: ReadPhoto, _ task: PhotoTask
  ) throws -> EffectRecord {
    let written = try output.write(made.bytes, task)
    return EffectRecord(
      input: task.photo.path, request: request, effect: output.effect, outputs: written,
      depthSource: source.origin, precision: source.precision,
      focalLengthSource: made.facts.focalLengthSource, uncertainty: made.facts.uncertainty,
      milliseconds: task.milliseconds("effect", .rendering),
      nearM: made.nearM, farM: made.farM, focusM: made.focusM, metres: made.facts.metres)
  }
}

/// The line that `--json` prints.
struct EffectRecord: PhotoRecord {
  let input: String
  /// The request.
  let request: EffectRequest
  let effect: String
  let outputs: [String]
  let depthSource: DepthOrigin?
  /// The arithmetic of the network; `nil` where the depth was not estimated.
  let precision: String?
  /// See ``EstimateFacts``.
  let focalLengthSource: String?
  let uncertainty: Double?
  /// Milliseconds per step; `effect` includes the encoding of the file.
  var milliseconds: [String: Double]
  /// Nearest and farthest depth of a map in metres; in the manifest only.
  let nearM, farM: Float?
  /// The distance in focus, metres.
  let focusM: Float?
  /// The fit of relative depth.
  let metres: MetresRecord?

  private enum CodingKeys: CodingKey {
    case input, request, effect, outputs, depthSource, precision, focalLengthSource, uncertainty
    case focusM, milliseconds, metres
  }
}
