import ArgumentParser
import DepthBase
import DepthErrors
import DepthImages
import FilmFiles
import MonocularDepth
import PictureFiles
import SystemEssentials

/// `depth video`: a film through ffmpeg, with sound, tags and timing kept.
struct Video: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "video",
    abstract: "Make a 3D film, a film with an effect or a depth film.",
    discussion: """
      Give one of --stereo, --effect and --depth. Needs ffmpeg and ffprobe on the PATH. The new film keeps sound, \
      subtitles, chapters, frame times and color tags, as far as its container can; stereo films are tagged as stereo. On Ctrl-C the film ends at \
      the current frame and stays playable; with --segments, no film is written, and the same command, without \
      --overwrite, resumes. Examples:

        depth video film.mp4 film_sbs.mp4 --stereo sbs-half
        depth video film.mkv out/ --stereo sbs --max-parallax 3% --codec libx265
        depth video clip.mp4 portrait.mp4 --effect blur --focus subject
        depth video clip.mp4 depth.mp4 --depth
        depth video films/ 3d/ --stereo tb-half --segments --skip-existing
        depth video film.mp4 try.mp4 --stereo anaglyph --preview 10s
      """)

  @Argument(help: "A film, or a folder of films.", completion: .file())
  var input: String

  @Argument(
    help: ArgumentHelp(
      """
      Film to write, whose extension (.mp4, .mkv, .mov, .webm, .ts or .avi) selects the container; or a folder.
      """,
      discussion: """
        In a folder, the film has the input's name and a suffix: for stereo one that players know, such as _LR, else \
        the effect or _depth. By default the folder is the input's.
        """),
    completion: .file())
  var output: String?

  @OptionGroup var picture: FilmPictureOptions
  @OptionGroup var parallax: ParallaxOptions
  @OptionGroup var encoding: EncodingOptions

  @Option(
    help: ArgumentHelp(
      """
      Start of the part to process, such as 90 or 90s (seconds), 1:30 or 0:01:30; by default the film's start.
      """,
      valueName: "time"))
  var start: FilmTime?

  @Option(
    help: ArgumentHelp(
      "Length of the part to process, written like --start; by default up to the film's end.",
      valueName: "time"))
  var duration: FilmTime?

  @Option(
    help: ArgumentHelp(
      """
      Process only a part of this length from the middle of the film. Not with --start and --duration.
      """,
      valueName: "time"))
  var preview: FilmTime?

  @Flag(
    help: ArgumentHelp(
      "Keep finished segments, so that the same command resumes after a stop.",
      discussion: """
        Until the film is complete, segments are kept in a hidden folder beside it, and Ctrl-C writes no film. \
        Only a run with the same options and version of the program resumes; --overwrite starts again, and anything \
        else is refused. Temporal filters continue across segments.
        """))
  var segments = false

  @Option(
    help: ArgumentHelp(
      "Length of a segment, 0.1s or more, for --segments; 60s by default.", valueName: "time"))
  var segmentLength: FilmTime?

  @Option(help: .steadyPictures()) var steady: Steadiness = .gated

  @Option(help: .depthEvery()) var depthEvery = 1

  @OptionGroup var camera: CameraOptions
  @OptionGroup var calibration: CalibrationOptions
  @Flag(
    help: """
      Replace existing films, and start stopped films of --segments again; without this option and --skip-existing \
      existing films are an error.
      """)
  var overwrite = false
  @Flag(
    help: ArgumentHelp(
      "Skip films whose output exists and is up to date; make older ones again.",
      discussion: """
        A film is up to date if it is not empty or older than its source, the calibration and weights that are named as \
        files. \
        Options are not compared.
        """))
  var skipExisting = false
  @OptionGroup var limits: LimitOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if preview != nil, start != nil || duration != nil {
      throw ValidationError("--preview excludes --start and --duration")
    }
    if let segmentLength, segmentLength.seconds < 0.1 {
      throw ValidationError(
        "--segment-length is \(segmentLength.seconds) s, expected 0.1 s or more")
    }
    if segmentLength != nil, !segments {
      throw ValidationError("--segment-length requires --segments")
    }
    for (name, time) in [("--duration", duration), ("--preview", preview)]
    where time?.seconds == 0 {
      throw ValidationError("\(name) is 0, expected a time")
    }
    try namingOptions(request.check)
  }

  /// What the film shows.
  var request: FilmRequest {
    var request = picture.request(camera)
    request.parallax = parallax.request
    (request.steady, request.depthEvery) = (steady, depthEvery)
    return request
  }

  func run() throws {
    // Ctrl-C ends films in its own way.
    let signals = EndSignals([SIGTERM, SIGHUP])
    let parts = FilmParts()
    signals.ending(after: parts.remove)
    let films = try self.films()
    let tools = try FFmpeg()
    try encoding.settings.check(tools)
    let threads = try ThreadCount.checked(common.threads)
    let correction = try calibration.read()
    let weights = try common.weights.selection()
    let estimator = try common.weights.estimator(
      of: weights, threads: 1, loadingThreads: common.threads)
    try correction?.warn(for: estimator, refinement: DepthOptions().refinement)
    let pipeline = MapEstimation(
      estimator, camera: camera.setting, calibration: correction, limits: limits.limits)
    if picture.pictureRange != nil { try pipeline.unit.requireMetric(for: "--picture-range") }
    Interruption.finishesOnFirst()
    let request = request
    let settings = try settings(request, threads: threads, pipeline)
    let sources = calibration.files + common.weights.namedFiles(of: weights)
    var (skipped, failures, hasTemporary) = (0, 0, false)
    if skipExisting, !common.quiet, let note = UpToDate.note(on: films.map(\.input) + sources) {
      Console.log("depth: \(note)".escapingControls + "\n")
    }
    for film in films {
      if PhotoFile.extensions.contains(URL(filePath: film.input).pathExtension.lowercased()),
        !common.quiet
      {
        Console.log(
          "depth: \(film.input.escapingControls) becomes a film of one picture; for a photo there are "
            + "'depth stereo', 'depth effect' and 'depth predict --view'\n")
      }
      if skipExisting, UpToDate.holds([film.output], from: [film.input] + sources) {
        skipped += 1
        continue
      }
      do {
        let outcome = try FilmRun(
          input: film.input, output: film.output, settings: settings, tools: tools,
          parts: parts, pictures: { request.pictures(pipeline: pipeline, framesPerSecond: $0) }
        ).run()
        try report(film, outcome, nil)
      } catch let error as DepthError {
        guard films.count > 1 else {
          try report(film, nil, error)
          throw error
        }
        failures += 1
        if error.isTemporary { hasTemporary = true }
        Console.report(error)
        try report(film, nil, error)
      }
      if Interruption.hasCome { throw Interruption.exitCode }
    }
    if skipped > 0, !common.quiet {
      Console.log("depth: \(skipped) of \(films.count) films skipped; \(UpToDate.explanation)\n")
    }
    if failures > 0 { throw hasTemporary ? RunStatus.tryAgain : ExitCode.failure }
  }

  private func report(
    _ film: FilmOutput, _ outcome: FilmRun.Outcome?, _ error: DepthError?
  ) throws {
    guard common.json else { return }
    let notes = outcome?.notes ?? []
    try Console.write(
      jsonLine(
        VideoRecord(
          input: film.input, request: request,
          output: outcome == nil ? nil : film.output.relativePath,
          frames: outcome?.frames, notes: notes.isEmpty ? nil : notes,
          error: error.map(Console.text(of:)))))
  }

  private func settings(
    _ request: FilmRequest, threads: Int, _ pipeline: MapEstimation
  ) throws -> FilmRun.Settings {
    FilmRun.Settings(
      encoder: encoding.settings,
      excerpt: FilmExcerpt(start: start?.seconds, duration: duration?.seconds),
      preview: preview?.seconds, segment: segments ? segmentLength?.seconds ?? 60 : nil,
      stereo: request.stereo?.format, isGray: request.isGray, overwrite: overwrite,
      isQuiet: common.quiet, replacesOutdated: skipExisting, threads: threads,
      limits: limits.limits,
      fingerprint: [
        Version.text, try pipeline.estimator.weightsSHA256(), pipeline.estimator.precision.rawValue,
        try pipeline.options.calibration.map { try jsonLine(CalibrationFile($0)) } ?? "",
        try jsonLine(request), try jsonLine(encoding.settings),
      ])
  }
}

/// The line that `--json` prints.
struct VideoRecord: Encodable {
  let input: String
  let request: FilmRequest
  let output: String?
  let frames: Int?
  /// What the user should know of the film; `nil` without notes.
  let notes: [String]?
  let error: String?
}

extension FilmTime: ExpressibleByArgument {
  /// A time by its text on the command line.
  init?(argument: String) { self.init(argument) }
}
