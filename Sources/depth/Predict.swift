import ArgumentParser
import DepthOptions
import DepthPipeline
import PhotoRuns

/// `depth predict`: photo → depth map in metres.
struct Predict: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "predict",
    abstract: "Estimate the depth of photos, in metres.",
    discussion: """
      Reads JPEG and PNG. Writes 16-bit PNG (millimetres up to 65.535 m, 0 = no value), or PFM, NumPy or OpenEXR \
      (32-bit metres); the file's extension selects the format. OpenEXR needs a build with the trait EXR. Without -o \
      or --output-dir the map is written beside the photo, as PHOTO_depth.png. '-' is standard input or output; a \
      photo from standard input gives a map on standard output. Several photos run in parallel, at most one per \
      thread. Ctrl-C finishes the photos in progress and starts no others.
      """)

  @OptionGroup var options: PredictionOptions

  func run() throws {
    let run = try options.photoRun(weightsFiles: options.common.weightsFiles())
    var watch = Stopwatch()
    let calibration = try options.readCalibration()
    let ahead = options.common.threads == 1 ? nil : run.readingAhead(limits: options.limits.limits)
    let estimator = try options.common.estimator(photos: run.photos.count)
    try options.note(calibration, for: estimator)
    try run.perform(
      options.recipe(estimator, calibration), threads: options.common.threads,
      json: options.common.json,
      isQuiet: options.common.quiet, load: watch.lap()
    ) { try options.predict($0, ahead: ahead, with: estimator, calibration: calibration) }
  }
}
