import ArgumentParser
import DepthBase
import DepthErrors
import DepthImages
import DepthPipeline
import PictureFiles
import SystemEssentials

/// What all effects share: photos, their depth, and what becomes of the results.
struct EffectOptions: ParsableArguments, PhotoDepthCommand {
  @Argument(help: .photos, completion: .file()) var photos: [String] = []
  @OptionGroup var batch: BatchOptions
  @Option(help: .depthOfPhotos, completion: .file()) var depth: String?
  @OptionGroup var unit: DepthUnitOptions
  @OptionGroup var camera: CameraOptions
  @OptionGroup var calibration: CalibrationOptions
  @OptionGroup var output: EffectOutputOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var stream: PictureStreamOptions
  @OptionGroup var common: CommonOptions

  /// Makes a file of each photo and its depth; a photo that fails does not stop the others.
  ///
  /// - Parameter focus: A point in focus belongs to one photo.
  func run(_ effect: PhotoEffect, focus: FocusOptions?) throws {
    guard !stream.stream else { return try runStream(effect) }
    let type: ImageFileFormat = effect.isMask ? .png : output.format
    try output.check(type)
    let selection = try selection(outputFolder: output.outputDir)
    try selection.check(output: output.output, json: common.json, content: "picture")
    if depth != nil, effect.name != "blur", let option = camera.given.first {
      throw ValidationError("\(option) is for estimated depth, expected no --depth")
    }
    if focus?.focusAt != nil, selection.isMany {
      throw ValidationError("--focus-at is a point of one photo, found \(selection.phrase)")
    }
    try perform(
      selection,
      // Effects give the network's own map the photo's edges themselves.
      settings: .unrefined, calibrated: MapSettings(),
      plan: { output.plan(for: $0, inputs: $1, effect: effect.name, format: type) },
      make: { try one($0, $1, effect, as: type) })
  }

  private func runStream(_ effect: PhotoEffect) throws {
    try stream.refuse(
      photos: photos,
      given: batch.given + output.given + (depth == nil ? [] : ["--depth"]) + unit.given
        + (effect.is16Bit ? ["--16-bit"] : [])
        + (common.json ? ["--json"] : []), command: "effect \(effect.name)")
    try PictureStream(
      options: stream, quality: output.picture.quality, camera: camera, calibration: calibration,
      limits: limits, common: common
    ).run(effect)
  }

  private func one(
    _ turn: PhotoTurn, _ depths: DepthOfPhotos, _ effect: PhotoEffect, as type: ImageFileFormat
  ) throws -> EffectRecord {
    let photo = turn.photo.path
    var watch = Stopwatch()
    let (source, call) = try depths.read(turn, for: .effect)
    let decode = watch.lap()
    turn.step("estimating")
    let map = try namingFailures(of: photo) { try depths.map(of: source, turn, call: call) }
    let estimated = watch.lap()
    turn.step("rendering")
    let (bytes, depth) = try namingFailures(of: photo) {
      let depth = try effect.depth(map, for: source.image, threads: call.threads)
      if let hint = effect.hint(for: depth) { turn.note(hint) }
      let bytes = try effect.encoded(
        source.image.signed, depth: depth, as: type, metadata: output.metadata.policy,
        compression: output.picture.png.compression, call: call)
      return (bytes, depth)
    }
    let made = watch.lap()
    turn.step("writing")
    let written = try output.write(bytes, turn: turn, effect: effect.name, format: type)
    let metres = depth.unit == .metres ? depth.range : nil
    return EffectRecord(
      input: photo, effect: effect.name, outputs: [written], precision: depths.precision,
      milliseconds: .init(
        decode: decode.milliseconds, depth: estimated.milliseconds, effect: made.milliseconds,
        write: watch.lap().milliseconds), nearM: metres?.low, farM: metres?.high)
  }
}

/// The line that `--json` prints.
struct EffectRecord: DepthTimedRecord {
  struct Milliseconds: Encodable, DepthTime {
    let decode: Double
    var depth: Double
    /// Time of the effect, including the encoding of the file.
    let effect: Double
    let write: Double
  }

  let input: String
  var effect: String?
  var outputs: [String] = []
  /// The arithmetic of the network; `nil` where the depth was not estimated.
  var precision: String?
  var milliseconds: Milliseconds?
  var error: String?
  /// Nearest and farthest depth of a map in metres; in the manifest only.
  var nearM, farM: Float?

  private enum CodingKeys: CodingKey {
    case input, effect, outputs, precision, milliseconds, error
  }
}

extension EffectRecord {
  init(input: String, error: String) {
    self.init(input: input, outputs: [], error: error)
  }
}
