import ArgumentParser
import DepthBase
import DepthErrors
import DepthImages
import DepthPhotos
import MonocularDepth
import PictureFiles

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
    let type: ImageFileFormat = effect.isPNG ? .png : output.format
    try output.check(type)
    let selection = try selection(outputFolder: output.outputDir)
    try selection.check(output: output.output, json: common.json, content: "picture")
    if DepthSource(depth).isGiven, request.effect != .blur,
      let field = camera.request.givenFields.first
    {
      throw ValidationError("--\(dashed(field)) requires estimated depth, found --depth")
    }
    // A point belongs to one photo.
    if request.focusAt != nil, selection.isMany {
      throw ValidationError("--focus-at requires a single photo, found \(selection.phrase)")
    }
    try perform(
      selection,
      // Effects give the network's own map the photo's edges themselves.
      options: .unrefined, calibrated: DepthOptions(), metresFor: effect.purposeOfMetres,
      usesMetres: effect.purposeOfMetres != nil && !effect.needsFocalLength,
      plan: { output.plan(for: $0, inputs: $1, effect: effect.name, format: type) },
      steps: {
        EffectSteps(depths: $0, output: output, effect: effect, request: request, type: type)
      })
  }

  private func runStream(_ effect: PhotoEffect, _ request: EffectRequest) throws {
    try stream.refusePhotos(
      of: self, named: "effect \(effect.name)", output: output.givenOptions,
      own: optionNames(["--16-bit": effect.is16Bit]))
    try PictureStream(options: stream, quality: request.picture.jpegQuality, command: self)
      .run(effect)
  }
}

/// An encoded picture with its nearest, farthest and focus distance, metres.
private struct MadeEffect {
  let bytes: [UInt8]
  let facts: EstimateFacts
  let nearM, farM, focusM: Float?
}

/// The steps of `depth effect`.
private struct EffectSteps: PhotoSteps {
  let depths: DepthOfPhotos
  let output: EffectOutputOptions
  let effect: PhotoEffect
  let request: EffectRequest
  let type: ImageFileFormat

  func read(_ task: PhotoTask) throws -> ReadPhoto {
    try depths.read(task, for: { _ in .effect })
  }

  func estimate(
    _ source: ReadPhoto, _ task: PhotoTask
  ) throws -> MadeEffect {
    try namingFailures(of: task.photo.path) {
      let (map, facts) = try source.map(task)
      task.begin(.rendering)
      let depth = try effect.depth(map, for: source.image, threads: task.call.threads)
      if let hint = effect.hint(for: depth) { task.log(hint) }
      let bytes = try effect.encoded(
        source.image.signed, depth: depth, as: type, metadata: request.picture.metadata,
        compression: request.picture.compression, call: task.call)
      let metres = depth.unit == .metres ? depth.range() : nil
      return MadeEffect(
        bytes: bytes, facts: facts, nearM: metres?.low, farM: metres?.high,
        focusM: try effect.focusDistance(in: depth, for: source.image, threads: task.call.threads))
    }
  }

  func write(
    _ made: MadeEffect, of source: ReadPhoto, _ task: PhotoTask
  ) throws -> EffectRecord {
    let written = try output.write(made.bytes, task: task, effect: effect.name, format: type)
    return EffectRecord(
      input: task.photo.path, request: request, effect: effect.name, outputs: [written],
      depthSource: source.origin, precision: source.precision,
      focalLengthSource: made.facts.focalLengthSource, uncertainty: made.facts.uncertainty,
      milliseconds: task.milliseconds("effect", .rendering),
      nearM: made.nearM, farM: made.farM, focusM: made.focusM)
  }
}

/// The line that `--json` prints.
struct EffectRecord: PhotoRecord {
  let input: String
  /// What was asked for.
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

  private enum CodingKeys: CodingKey {
    case input, request, effect, outputs, depthSource, precision, focalLengthSource, uncertainty
    case focusM, milliseconds
  }
}
