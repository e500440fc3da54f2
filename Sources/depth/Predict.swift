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
      Reads JPEG and PNG. Writes 16-bit PNG (millimetres, 0 = no value), PFM, NumPy or OpenEXR (32-bit metres), \
      by extension; OpenEXR where the package was built with EXR. Without -o or --output-dir the map goes beside the photo, as PHOTO_depth.png. '-' means \
      standard input or output. Of several photos as many are under way at once as there are threads; \
      Ctrl-C finishes those.
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
