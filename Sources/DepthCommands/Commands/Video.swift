import ArgumentParser
import DepthBase
import DepthImages
import DepthVideo
import FilmFiles
import MonocularDepth
import SystemEssentials

/// `depth video`: converts a film with ffmpeg, and keeps sound, tags and timing.
struct Video: RequestCommand {
  static let configuration = CommandConfiguration(
    commandName: "video",
    abstract: "Make a 3D film, a film with an effect or a depth film.",
    discussion: """
      Give one of --stereo, --effect and --depth. Needs ffmpeg and ffprobe on the PATH. The new film keeps sound, \
      subtitles, chapters, frame times, color tags and other tags but the location, as far as its container can; stereo \
      films are tagged as stereo. On Ctrl-C the film ends at \
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
  @OptionGroup var metadata: MetadataOptions

  @OptionGroup var part: FilmPartOptions

  @Option(help: .steadyPictures()) var steady = TemporalSmoothing.standard

  @Option(help: .depthEvery()) var depthEvery = FilmRequest().depthEvery

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

  var request: FilmRequest {
    var request = picture.request(camera)
    request.parallax = parallax.request
    request.effect.picture = metadata.request
    (request.steady, request.depthEvery) = (steady, depthEvery)
    return request
  }

  func run() throws {
    // Ctrl-C is handled separately and completes the film.
    let signals = EndSignals([SIGTERM, SIGHUP])
    let parts = FilmParts()
    signals.ending(after: parts.remove)
    let (request, calibration, weights) = (request, calibration.file, common.weights.request)
    let madeFolders = MadeFolders()
    let films = try selection.films(making: madeFolders)
    let tools = try FFmpeg()
    try encoding.settings.check(tools)
    let threads = try ThreadCount.checked(common.threads)
    let correction = try calibration.read()
    let selected = try weights.selection()
    let recipe = FilmRecipe(
      request: request, encoder: encoding.settings, excerpt: part.excerpt,
      preview: part.preview?.seconds, segment: part.segment, weights: weights,
      calibration: correction.map { CalibrationFile($0) })
    let estimation = try recipe.estimation(
      of: selected, limits: limits.limits, loadingThreads: common.threads)
    try correction?.warn(for: estimation.estimator, refinement: DepthOptions().refinement)
    if request.pictureRange != nil { try estimation.unit.requireMetric(for: "--picture-range") }
    Interruption.finishesOnFirst()
    try FilmBatch(
      films: films,
      settings: FilmBatch.Settings(
        recipe: recipe, overwrite: overwrite, isQuiet: common.quiet,
        replacesOutdated: skipExisting, threads: threads, limits: limits.limits),
      sources: calibration.files + weights.namedFiles(of: selected), estimation: estimation,
      json: common.json, tools: tools, parts: parts
    ).perform()
    madeFolders.keep()
  }

  /// The named films, with the paths of the new films.
  var selection: FilmSelection {
    FilmSelection(
      input: input, output: output, suffix: request.suffix,
      otherInputs: calibration.file.files, overwrite: overwrite)
  }
}
