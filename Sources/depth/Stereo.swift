import ArgumentParser
import AtomicFiles
import DepthErrors
import DepthImages
import DepthRefinement
import MonocularDepth
import PictureFiles
import ProcessLimits
import StereoPhotos
import SystemEssentials
import ViewSynthesis

/// `depth stereo`: photo (+ depth) → left and right view in any viewing format.
struct Stereo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stereo",
    abstract: "Make a stereo photo from one photo.",
    discussion: """
      How much: --shift 1% of the width in each eye, or true parallax in metres: --baseline 63mm \
      --focal-length exif --screen-distance 2.5m. Without -o the file goes beside the photo, with the \
      ending that viewers know the format by. Formats: \
      \(StereoFormat.all.map(\.name).joined(separator: ", ")).
      """)

  @Argument(help: "JPEG or PNG photos, folders of them, or '-'.", completion: .file())
  var photos: [String] = []
  @OptionGroup var batch: BatchOptions

  @Option(
    help: ArgumentHelp(
      "Depth file, or 'embedded' for the photo's own; estimated when not given.",
      discussion: """
        For several photos a folder of depth files: MAPS/PLACE/NAME_depth.png, .pfm, .npy or .exr, or without _depth, \
        for PHOTOS/PLACE/NAME.jpg.
        """, valueName: "file"), completion: .file())
  var depth: String?

  @OptionGroup var unit: DepthUnitOptions
  @OptionGroup var parallax: ParallaxOptions
  @OptionGroup var camera: CameraOptions
  @OptionGroup var calibration: CalibrationOptions
  @OptionGroup var output: StereoOutputOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let selection = try batch.selection(
      of: photos, extensions: StereoSource.extensions, outputFolders: [output.outputDir])
    try output.check(selection, json: common.json)
    let source = DepthSource(depth)
    try source.check(selection)
    try calibration.check(depth: depth)
    let correction = try calibration.read()
    var plan = output.plan(
      for: selection.photos,
      inputs: batch.files + calibration.files + (depth == nil ? try common.weightsFiles() : []),
      limits: limits.limits)
    plan.depthFiles = source.files(of: selection.photos)
    let run = try PhotoRun(selection, plan, options: batch)
    // The network first: its share of the memory is known only then.
    var watch = Stopwatch()
    let estimator = depth == nil ? try common.estimator(photos: run.photos.count) : nil
    if let estimator { try correction?.note(for: estimator, refinement: .joint) }
    let weights = try (estimator?.words ?? []) + (correction?.words ?? [])
    try run.perform(
      Recipe(
        "stereo",
        weights + source.words + unit.words + parallax.words + camera.words
          + output.words),
      threads: common.threads, json: common.json, isQuiet: common.quiet, load: watch.lap()
    ) { try make($0, source, estimator, correction) }
  }

  private func make(
    _ turn: PhotoTurn, _ depthSource: DepthSource, _ estimator: DepthEstimator?,
    _ calibration: DepthCalibration?
  ) throws -> StereoRecord {
    let photo = turn.photo.path
    var watch = Stopwatch()
    turn.step("reading")
    var threads = 1
    let source = try StereoSource(
      of: turn.photo, depth: depthSource, unit: unit, limits: limits.limits
    ) { file in
      threads = try turn.threads(
        for: memoryNeed(for: file, network: estimator), pixels: file.width * file.height)
    }
    let decode = watch.lap()
    turn.step("estimating")
    let map =
      try source.depth
      ?? estimate(source.image, by: estimator, turn.photo, calibration, threads)
    let estimated = watch.lap()
    turn.step("rendering")
    let files: [StereoFile]
    do {
      files = try source.image.stereoFiles(
        as: output.stereoFormat, depth: map,
        options: parallax.options(focalLength: camera.given, threads: threads),
        output: output.settings)
    } catch let error as DepthError where error.file == nil {
      throw InputFailure(file: photo, reason: error.message)
    }
    let rendered = watch.lap()
    turn.step("writing")
    let written = try output.write(files, turn: turn)
    let metres = map.unit == .metres ? map.range : nil
    return StereoRecord(
      input: photo, outputs: written, format: output.stereoFormat.name,
      precision: estimator?.precision.rawValue,
      milliseconds: .init(
        decode: decode.milliseconds, depth: estimated.milliseconds,
        views: rendered.milliseconds, write: watch.lap().milliseconds),
      nearM: metres?.low, farM: metres?.high,
      calibration: calibration.map(CalibrationRecord.init))
  }

  /// Longest side of an estimated map: the warp stretches it over the photo.
  static let longestSide = 1024

  private func estimate(
    _ image: Image, by estimator: DepthEstimator?, _ photo: PhotoInput,
    _ calibration: DepthCalibration?, _ threads: Int
  ) throws -> DepthMap {
    let estimate = try (estimator ?? common.estimator()).using(threads: threads)
      .estimate(of: image, camera: camera.camera(of: image, named: photo.path))
    return try estimate.depth
      .refined(
        guidedBy: image, resolution: .size(fitting: image, atMost: Self.longestSide),
        threads: threads
      ).calibrated(by: calibration, camera: estimate.camera, photo: photo.path)
  }

  /// The memory that rendering and writing the views takes.
  private func memoryNeed(for file: PhotoFile, network: DepthEstimator?) -> MemoryNeed {
    // A map from elsewhere is at most as large as the photo.
    let area = file.height * file.width
    let depth = network == nil ? area : min(area, Self.longestSide * Self.longestSide)
    return .stereo(
      of: file, networkBytes: network?.networkBytes ?? 0, depthPixels: depth,
      pictures: output.stereoFormat.pictures(
        height: file.height, width: file.width, output: output.settings))
  }
}

extension OutputResolution {
  /// The photo's size, or the largest of its shape with sides up to `side`.
  static func size(fitting image: Image, atMost side: Int) -> OutputResolution {
    let scale = min(1, Double(side) / Double(max(image.height, image.width)))
    return .size(
      height: max(Int((Double(image.height) * scale).rounded()), 1),
      width: max(Int((Double(image.width) * scale).rounded()), 1))
  }
}

/// The line that `--json` prints.
struct StereoRecord: DepthTimedRecord {
  struct Milliseconds: Encodable, DepthTime {
    let decode: Double
    var depth: Double
    let views, write: Double
  }

  let input: String
  var outputs: [String] = []
  var format: String?
  /// The arithmetic of the network; `nil` where the depth was not estimated.
  var precision: String?
  var milliseconds: Milliseconds?
  var error: String?
  /// Of the depth map, where it is in metres; in the manifest only.
  var nearM, farM: Float?
  /// What corrected the estimate.
  var calibration: CalibrationRecord?

  private enum CodingKeys: CodingKey {
    case input, outputs, format, precision, milliseconds, error, calibration
  }
}

extension StereoRecord {
  init(input: String, error: String) {
    self.init(input: input, outputs: [], error: error)
  }
}
