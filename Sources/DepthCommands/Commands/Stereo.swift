import ArgumentParser
import DepthBase
import DepthImages
import DepthPhotos
import MonocularDepth
import PictureFiles
import StereoPhotos

/// `depth stereo`: photo (+ depth) → left and right view in any viewing format.
struct Stereo: ParsableCommand, PhotoDepthCommand {
  static let configuration = CommandConfiguration(
    commandName: "stereo",
    abstract: "Make a stereo photo from one photo.",
    discussion: """
      --shift sets the largest shift in each eye's view, 1% of the width by default. For the parallax that two eyes at the \
      camera would see, use --baseline 63mm --focal-length exif --screen-distance 2.5m instead. Without -o the file \
      is written beside the photo; the end of its name tells viewers the format.

      sbs is side by side and tb top and bottom; -half squeezes each view to half its width or height. left-right \
      writes two files. wiggle is an animated PNG and gif an animated GIF. holes shows in white the pixels of the \
      views that the photo does not show. tab, tab-half and anaglyph are aliases of tb, tb-half and anaglyph-red-cyan.

      --stream makes a stereo film from frames on standard input, in the formats of 'depth stream':

        ffmpeg -v error -i in.mp4 -f yuv4mpegpipe -strict -1 - |
          depth stereo --stream --format sbs-half | ffplay -f yuv4mpegpipe -
      """)

  @Argument(help: .photos, completion: .file()) var photos: [String] = []
  @OptionGroup var batch: BatchOptions
  @Option(help: .depthOfPhotos, completion: .file()) var depth: String?
  @OptionGroup var unit: DepthUnitOptions
  @OptionGroup var parallax: ParallaxOptions
  @OptionGroup var camera: CameraOptions
  @OptionGroup var calibration: CalibrationOptions
  @OptionGroup var output: StereoOutputOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var stream: PictureStreamOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    _ = try output.request(parallax, camera)
    // --stream refuses --depth itself.
    if !stream.stream, DepthSource(depth).isGiven, parallax.screenDistance == nil,
      let field = camera.request.givenFields.first
    {
      throw ValidationError(
        "--\(dashed(field)) requires --screen-distance, or depth that is estimated")
    }
  }

  func run() throws {
    let request = try output.request(parallax, camera)
    guard !stream.stream else { return try runStream(request) }
    let selection = try selection(outputFolder: output.outputDir)
    try output.check(selection, request.stereoFormat, json: common.json)
    try perform(
      selection, options: DepthOptions(), metresFor: request.purposeOfMetres,
      plan: { output.plan(for: $0, inputs: $1, request, limits: limits.limits) },
      steps: { StereoSteps(depths: $0, output: output, request: request) })
  }

  private func runStream(_ request: StereoRequest) throws {
    try stream.refusePhotos(of: self, named: "stereo", output: output.givenOptions)
    try PictureStream(options: stream, quality: request.picture.jpegQuality, command: self)
      .run(request)
  }
}

/// Encoded views and the depth that they were made from.
private struct MadeStereo {
  let map: DepthMap
  let facts: EstimateFacts
  let files: [StereoFile]
}

/// The steps of `depth stereo`.
private struct StereoSteps: PhotoSteps {
  let depths: DepthOfPhotos
  let output: StereoOutputOptions
  let request: StereoRequest

  func read(_ task: PhotoTask) throws -> ReadPhoto {
    try depths.read(task, for: { _ in .stereo }, pixels: request.pixels(of:))
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
    let written = try output.write(made.files, task: task)
    let metres = made.map.unit == .metres ? made.map.range() : nil
    return StereoRecord(
      input: task.photo.path, request: request, outputs: written,
      format: request.stereoFormat.name, depthSource: source.origin, precision: source.precision,
      focalLengthSource: made.facts.focalLengthSource, uncertainty: made.facts.uncertainty,
      milliseconds: task.milliseconds("views", .rendering),
      nearM: metres?.low, farM: metres?.high, calibration: source.calibration)
  }
}

/// The line that `--json` prints.
struct StereoRecord: PhotoRecord {
  let input: String
  /// What was asked for.
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
  /// What corrected the estimate.
  let calibration: CalibrationRecord?

  private enum CodingKeys: CodingKey {
    case input, request, outputs, format, depthSource, precision, focalLengthSource, uncertainty
    case milliseconds, calibration
  }
}
