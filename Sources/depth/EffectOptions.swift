import ArgumentParser
import DepthEffects
import DepthErrors
import DepthImages
import DepthOptions
import DepthPipeline
import PhotoRuns
import PictureFiles
import ProcessLimits
import SystemEssentials
import ThreadTeams

/// What all effects share: photos, their depth, and what becomes of the results.
struct EffectOptions: ParsableArguments {
  /// Makes the bytes of a file from a photo and its depth with a number of threads.
  typealias Filter = @Sendable (Image, DepthMap, _ threads: Int) throws -> [UInt8]

  @Argument(help: "JPEG or PNG photos, folders of them, or '-'.", completion: .file())
  var photos: [String] = []
  @OptionGroup var batch: BatchOptions

  @Option(
    help: ArgumentHelp(
      "Depth file, or 'embedded' for the photos' own; estimated when not given.",
      discussion: """
        For several photos a folder of depth files: MAPS/PLACE/NAME_depth.png, .pfm, .npy or .exr, or without _depth, \
        for PHOTOS/PLACE/NAME.jpg.
        """, valueName: "file"), completion: .file())
  var depth: String?

  @OptionGroup var unit: DepthUnitOptions
  @OptionGroup var camera: CameraOptions
  @OptionGroup var calibration: CalibrationOptions
  @OptionGroup var output: EffectOutputOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var common: CommonOptions

  /// Makes a picture of each photo and its depth, and writes it as the options say.
  func runPicture(
    _ effect: String, focus: FocusOptions?, words: [String],
    _ make: @escaping @Sendable (Image, DepthMap, _ threads: Int) throws -> Image
  ) throws {
    let (format, policy) = (output.format, output.metadata.policy)
    let compression = output.png.compression
    try run(
      effect, type: format, focus: focus, words: words + ["metadata=\(policy)"]
    ) { photo, depth, threads in
      try make(photo, depth, threads).withMetadata(policy)
        .encoded(as: format, compression: compression, threads: threads)
    }
  }

  /// Makes a file of each photo and its depth; a photo that fails does not stop the others.
  ///
  /// - Parameters:
  ///   - effect: Its name, in file names.
  ///   - type: The format of the files.
  ///   - focus: A point in focus belongs to one photo.
  ///   - words: The effect's options as words of a ``Recipe``.
  ///   - make: Makes the bytes of a file.
  func run(
    _ effect: String, type: ImageFileFormat, focus: FocusOptions?, words: [String],
    _ make: @escaping Filter
  ) throws {
    let selection = try batch.selection(of: photos, outputFolders: [output.outputDir])
    try output.check(selection, json: common.json)
    if focus?.focusAt != nil, selection.isMany {
      throw ValidationError("--focus-at is a point of one photo, found \(selection.photos.count)")
    }
    let run = PhotoDepthRun(
      selection: selection, batch: batch, depth: depth, unit: unit, camera: camera,
      calibration: calibration, limits: limits, common: common)
    try run.perform(
      // Effects give the network's own map the photo's edges themselves.
      settings: .unrefined,
      plan: { output.plan(for: $0, inputs: $1, effect: effect, format: type) },
      recipe: {
        Recipe(
          "effect",
          [effect] + $0 + camera.setting.words + (focus?.words ?? []) + words + output.words(type))
      },
      make: { turn, depths in
        try one(
          turn, depths, effect: effect, type: type,
          // A mask of nothing is refused, and says why.
          focus: effect == "blur" ? focus?.wanted : nil, make)
      })
  }

  private func one(
    _ turn: PhotoTurn, _ depths: DepthOfPhotos, effect: String, type: ImageFileFormat,
    focus: DepthFocus?, _ make: Filter
  ) throws -> EffectRecord {
    let photo = turn.photo.path
    var watch = Stopwatch()
    let (source, call) = try depths.read(turn) {
      .effect(of: $0, networkBytes: depths.networkBytes)
    }
    let decode = watch.lap()
    turn.step("estimating")
    let (map, bytes): (DepthMap, [UInt8])
    let (estimated, made): (Duration, Duration)
    do {
      map = try depths.map(of: source, turn, call: call)
      estimated = watch.lap()
      if case .metres(let distance) = focus, let gap = map.gap(at: distance) { turn.note(gap) }
      turn.step("rendering")
      bytes = try make(source.image, map, call.threads)
      made = watch.lap()
    } catch let error as DepthError where error.file == nil {
      throw InputFailure(file: photo, reason: error.message)
    }
    turn.step("writing")
    let written = try output.write(bytes, turn: turn, effect: effect, format: type)
    let metres = map.unit == .metres ? map.range : nil
    return EffectRecord(
      input: photo, effect: effect, outputs: [written], precision: depths.precision,
      milliseconds: .init(
        decode: decode.milliseconds, depth: estimated.milliseconds, effect: made.milliseconds,
        write: watch.lap().milliseconds), nearM: metres?.low, farM: metres?.high)
  }
}

extension DepthMap {
  /// What to say of a focus where the map has nothing; `nil` where it has something, or no unit.
  fileprivate func gap(at distance: Double) -> String? {
    guard let (near, far) = (try? inMetres)?.range,
      !(Double(near) * 0.99...Double(far) * 1.01).contains(distance)
    else { return nil }
    func text(_ metres: Float) -> String { "\((Double(metres) * 100).rounded() / 100)" }
    return "nothing is in focus at \(distance) m, its depth goes from \(text(near)) to "
      + "\(text(far)) m"
  }
}

/// The line that `--json` prints.
struct EffectRecord: DepthTimedRecord {
  struct Milliseconds: Encodable, DepthTime {
    let decode: Double
    var depth: Double
    /// With encoding the file.
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
  /// Of the depth map, where it is in metres; in the manifest only.
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
