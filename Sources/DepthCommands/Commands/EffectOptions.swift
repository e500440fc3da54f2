import ArgumentParser
import DepthBase
import DepthErrors
import DepthImages
import DepthPipeline
import DepthRequests
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

  /// What an effect's options ask for, checked.
  ///
  /// - Parameter set: Sets what the effect alone has.
  /// - Throws: A validation error.
  func request(
    _ name: EffectName, _ focus: FocusOptions? = nil, _ shape: MaskOptions? = nil,
    _ set: (inout EffectRequest) -> Void = { _ in }
  ) throws -> EffectRequest {
    var request = EffectRequest()
    (request.effect, request.camera) = (name, camera.request)
    (request.focus, request.focusAt) = (focus?.focus, focus?.focusAt)
    if let shape { request.shape = shape.request }
    request.picture = output.picture.request(output.metadata)
    set(&request)
    try namingOptions(request.check)
    return request
  }

  /// Makes a file of each photo and its depth; a photo that fails does not stop the others.
  func run(_ request: EffectRequest) throws {
    guard let effect = request.photoEffect else { preconditionFailure("checked above") }
    guard !stream.stream else { return try runStream(effect, request) }
    let type: ImageFileFormat = effect.isMask ? .png : output.format
    try output.check(type)
    let selection = try selection(outputFolder: output.outputDir)
    try selection.check(output: output.output, json: common.json, content: "picture")
    if depth != nil, request.effect != .blur, let field = camera.request.given.first {
      throw ValidationError("--\(dashed(field)) is for estimated depth, expected no --depth")
    }
    // A point belongs to one photo.
    if request.focusAt != nil, selection.isMany {
      throw ValidationError("--focus-at is a point of one photo, found \(selection.phrase)")
    }
    try perform(
      selection,
      // Effects give the network's own map the photo's edges themselves.
      settings: .unrefined, calibrated: MapSettings(),
      plan: { output.plan(for: $0, inputs: $1, effect: effect.name, format: type) },
      make: { try one($0, $1, effect, request, as: type) })
  }

  private func runStream(_ effect: PhotoEffect, _ request: EffectRequest) throws {
    try stream.refuse(
      photos: photos,
      given: batch.given + output.given + (depth == nil ? [] : ["--depth"]) + unit.given
        + (effect.is16Bit ? ["--16-bit"] : [])
        + (common.json ? ["--json"] : []), command: "effect \(effect.name)")
    try PictureStream(
      options: stream, quality: request.picture.jpegQuality, camera: camera,
      calibration: calibration, limits: limits, common: common
    ).run(effect)
  }

  private func one(
    _ turn: PhotoTurn, _ depths: DepthOfPhotos, _ effect: PhotoEffect, _ request: EffectRequest,
    as type: ImageFileFormat
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
        source.image.signed, depth: depth, as: type, metadata: request.picture.metadata,
        compression: request.picture.compression, call: call)
      return (bytes, depth)
    }
    let made = watch.lap()
    turn.step("writing")
    let written = try output.write(bytes, turn: turn, effect: effect.name, format: type)
    let metres = depth.unit == .metres ? depth.range : nil
    return EffectRecord(
      input: photo, request: request, effect: effect.name, outputs: [written],
      precision: depths.precision,
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
  /// What was asked for.
  var request: EffectRequest?
  var effect: String?
  var outputs: [String] = []
  /// The arithmetic of the network; `nil` where the depth was not estimated.
  var precision: String?
  var milliseconds: Milliseconds?
  var error: String?
  /// Nearest and farthest depth of a map in metres; in the manifest only.
  var nearM, farM: Float?

  private enum CodingKeys: CodingKey {
    case input, request, effect, outputs, precision, milliseconds, error
  }
}

extension EffectRecord {
  init(input: String, error: String) {
    self.init(input: input, outputs: [], error: error)
  }
}
