import ArgumentParser

/// `depth predict`: photo → depth map in metres.
struct Predict: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "predict",
    abstract: "Estimate the depth of photos, in metres.",
    discussion: """
      Reads JPEG, PNG, HEIC, WebP and AVIF. Writes 16-bit PNG (millimetres up to 65.535 m, 0 = no value), or PFM, NumPy or OpenEXR \
      (32-bit metres); the file's extension selects the format. Without -o \
      or --output-dir the map is written beside the photo, as PHOTO_depth.png. '-' is standard input or output; a \
      photo from standard input gives a map on standard output. Several photos run in parallel, at most one per \
      thread. Ctrl-C finishes the photos in progress and starts no others.
      """)

  @OptionGroup var options: PredictionOptions

  func run() throws { try options.run() }
}
