import ArgumentParser
import DepthErrors
import DepthImages
import MonocularDepth
import PictureFiles
import ProcessLimits

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What all effects share: photos, their depth, and what becomes of the results.
struct EffectOptions: ParsableArguments {
  @Argument(help: "JPEG or PNG photos, or '-'.") var photos: [String]

  @Option(
    help: ArgumentHelp(
      "Depth file, or 'embedded' for the photos' own; estimated when not given.", valueName: "file")
  )
  var depth: String?

  @OptionGroup var unit: DepthUnitOptions
  @OptionGroup var camera: CameraOptions
  @OptionGroup var output: EffectOutputOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var common: CommonOptions

  func validate(focus: FocusOptions?) throws {
    try output.validate(photos: photos, json: common.json)
    if let depth, depth != "embedded", photos.count > 1 {
      throw ValidationError("--depth names one map, found \(photos.count) photos")
    }
    if focus?.focusAt != nil, photos.count > 1 {
      throw ValidationError("--focus-at is a point of one photo, found \(photos.count)")
    }
  }

  /// Makes a picture of each photo and its depth, and writes it as the options say.
  func runPicture(_ effect: String, _ make: (Image, DepthMap) throws -> Image) throws {
    try run(effect, type: output.format) { photo, depth in
      try make(photo, depth).withMetadata(output.metadata.policy)
        .encoded(as: output.format, threads: common.threads)
    }
  }

  /// Makes a file of each photo and its depth; a photo that fails does not stop the others.
  ///
  /// - Parameters:
  ///   - effect: Its name, in file names.
  ///   - type: The format of the files.
  ///   - make: Makes the bytes of a file.
  func run(
    _ effect: String, type: ImageFileFormat, _ make: (Image, DepthMap) throws -> [UInt8]
  ) throws {
    let inputs =
      try depth.map { $0 == "embedded" ? [] : [$0] } ?? common.weightsFiles()
    try output.plan(for: photos, inputs: inputs, effect: effect, format: type).check()
    let estimator = depth == nil ? try common.estimator() : nil
    let progress = Progress(total: photos.count, isShown: !common.quiet)
    var (failures, done) = (0, 0)
    func runAll() throws {
      for photo in photos where !Interruption.hasCome {
        progress.begin(photo)
        do {
          let record = try one(
            photo, effect: effect, type: type, estimator: estimator, progress: progress, make)
          progress.clear()
          done += 1
          if common.json { try Console.write(jsonLine(record)) }
        } catch {
          progress.clear()
          failures += 1
          Console.report(error)
          if common.json {
            let record = EffectRecord(input: photo, effect: effect, error: "\(error)")
            try Console.write(jsonLine(record))
          }
        }
        progress.end()
      }
    }
    if photos.count > 1 {
      try Interruption.finishingCurrent(runAll)
      try Interruption.endIfCome(done: done, of: photos.count)
    } else {
      try runAll()
    }
    if failures > 0 { throw ExitCode.failure }
  }

  private func one(
    _ photo: String, effect: String, type: ImageFileFormat, estimator: DepthEstimator?,
    progress: Progress, _ make: (Image, DepthMap) throws -> [UInt8]
  ) throws -> EffectRecord {
    var watch = Stopwatch()
    progress.step("reading")
    let source = try StereoSource(
      contentsOf: photo == "-" ? Console.standardInput : URL(filePath: photo), name: photo,
      depth: depth, unit: unit, limits: limits.limits
    ) { file in
      try MemoryNeed.effect(of: file, networkBytes: estimator?.networkBytes ?? 0)
        .require(for: photo)
    }
    let decode = watch.lap()
    progress.step("estimating")
    let bytes: [UInt8]
    let estimated: Duration
    let made: Duration
    do {
      let map =
        try source.depth
        ?? (estimator ?? common.estimator())
        .depth(of: source.image, camera: camera.camera(of: source.image, named: photo))
      estimated = watch.lap()
      progress.step("rendering")
      bytes = try make(source.image, map)
      made = watch.lap()
    } catch let error as DepthError where error.file == nil {
      throw InputFailure(file: photo, reason: error.message)
    }
    let written = try output.write(bytes, photo: photo, effect: effect, format: type)
    return EffectRecord(
      input: photo, effect: effect, outputs: [written],
      milliseconds: .init(
        decode: decode.milliseconds, depth: estimated.milliseconds, effect: made.milliseconds,
        write: watch.lap().milliseconds))
  }
}

/// The line that `--json` prints.
struct EffectRecord: Encodable {
  struct Milliseconds: Encodable {
    /// `effect` includes encoding the file.
    let decode, depth, effect, write: Double
  }

  let input, effect: String
  var outputs: [String] = []
  var milliseconds: Milliseconds?
  var error: String?
}
