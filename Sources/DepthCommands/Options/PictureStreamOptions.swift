import ArgumentParser
import DepthVideo
import MonocularDepth

/// A stream of frames instead of photos, for `depth stereo` and `depth effect`.
struct PictureStreamOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      """
      Read frames from standard input and write pictures to standard output, as 'depth stream' does.
      """,
      discussion: """
        --from, --size, --rate, --matrix, --color-range, --to, --steady, --depth-every and --latest are only for \
        --stream. Photos, -o, --depth and --json are refused with it. --from 2m and --to 4m, the range \
        of a mask, are for photos and frames.
        """))
  var stream = false

  @OptionGroup var frames: FrameOptions

  @Option(
    help: ArgumentHelp(
      """
      Format of pictures on standard output: \
      \(PictureStreamFormat.allCases.map(\.rawValue).joined(separator: ", ")). For a mask of 'effect', also where its \
      range ends, such as 4m.
      """,
      discussion: """
        same, the default, is the format of the input frames, with their chroma subsampling, color matrix, range and \
        bit depth. With same and y4m, masks are gray, and anaglyphs, rows and columns have no chroma subsampling.
        """,
      valueName: "format"), transform: FormatOrBound<PictureStreamFormat>.argument)
  var to: [FormatOrBound<PictureStreamFormat>] = []
  private var format: PictureStreamFormat? { to.compactMap(\.format).last }

  @Option(help: .steadyPictures(default: "; gated by default")) var steady: TemporalSmoothing?

  @Option(help: .depthEvery(default: " 1 by default.")) var depthEvery: Int?

  @Flag(
    exclusivity: .exclusive,
    help: "Process every frame, or drop all but the newest of the frames that wait.")
  var queue: FrameQueue = .everyFrame

  func validate() throws {
    try check("--depth-every", depthEvery, in: FramePipeline.intervals)
    guard !stream else { return }
    if frames.isGiven || format != nil || steady != nil || depthEvery != nil || queue != .everyFrame
    {
      throw ValidationError(
        "--from, --size, --rate, --matrix, --color-range, --to, --steady, --depth-every and --latest require --stream"
      )
    }
  }

  /// - Throws: A validation error for a bound, which only effects have.
  func refuseBounds() throws {
    try frames.refuseBounds()
    try FormatOrBound.refuseBounds(to, of: "--to")
  }

  /// Makes the pictures of a command until the stream ends.
  ///
  /// - Parameters:
  ///   - film: The contents of the pictures; these options are added.
  ///   - quality: JPEG quality of Motion JPEG frames.
  /// - Throws: `DepthError`; the exit status after Ctrl-C.
  func run(_ film: FilmRequest, of command: any PhotoCommand, quality: Int) throws {
    var film = film
    (film.steady, film.depthEvery) = (steady ?? film.steady, depthEvery ?? film.depthEvery)
    try PictureStream(
      film: film, frames: frames.input, format: format ?? .same, queue: queue, quality: quality,
      estimation: FrameEstimation(
        weights: command.common.weights.request, options: film.options(command.limits.limits),
        calibration: command.calibration.file, threads: command.common.threads),
      isQuiet: command.common.quiet
    ).run()
  }

  /// Rejects photos and options for photos.
  ///
  /// - Parameters:
  ///   - name: The name of the command.
  ///   - output: Names of the given output options.
  ///   - own: Names of the given options that are specific to the command.
  /// - Throws: A validation error.
  func refusePhotos(
    of command: any PhotoCommand, named name: String, output: [String], own: [String] = []
  ) throws {
    if let photo = command.photos.first, command.photos != ["-"] {
      throw ValidationError(
        "\(photo): with --stream frames are read from standard input: "
          + "ffmpeg -v error -i \(photo) -f yuv4mpegpipe - | depth \(name) --stream"
          .escapingControls)
    }
    let given =
      command.batch.givenOptions + output + optionNames(["--depth": command.depth != nil])
      + command.unit.givenOptions + own + optionNames(["--json": command.common.json])
    if let option = given.first {
      throw ValidationError("\(option) requires photos, found --stream")
    }
  }
}
