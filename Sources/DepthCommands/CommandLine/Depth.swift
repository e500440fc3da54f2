import ArgumentParser

/// The root command.
struct Depth: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "depth",
    abstract: "Estimate depth in metres from one photo, on a CPU.",
    discussion: """
      Depth is the distance along the optical axis, in metres; larger is farther. Without a command, 'depth PHOTO' \
      means 'depth predict PHOTO'. Examples:

        depth photo.jpg --view               photo_depth.png, and a picture of it
        depth predict photo.jpg              photo_depth.png: 16-bit millimetres
        depth predict photo.jpg -o d.pfm     32-bit metres
        depth predict photo.jpg --refine none --view v.png --color-map turbo
        depth predict *.jpg --output-dir maps --view maps/
        depth predict photos --recursive --output-dir maps --skip-existing
        depth stereo photo.jpg --format anaglyph
        depth effect blur photo.jpg --focus 0.75
        depth export photo.jpg -o room.glb
        depth video film.mp4 film_sbs.mp4 --stereo sbs-half

      Exit status: 0 for success, 1 if an input failed, 64 for wrong usage, 75 if an input failed and a retry \
      may succeed (disk full, no memory), 130 after Ctrl-C.
      """,
    version: Version.text,
    subcommands: [
      Predict.self, Refine.self, Stereo.self, Effect.self, Export.self, Serve.self, Stream.self,
      Video.self, Watch.self,
      Evaluate.self, Calibrate.self, Weights.self, Benchmark.self,
    ], defaultSubcommand: Predict.self)

  /// Parses a command line into its command with options.
  ///
  /// - Throws: A validation error, or an error of the parser.
  static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    try ArgumentNames.check(arguments)
    try CommandWord.check(arguments)
    // Without arguments, the default command would complain about a missing photo.
    return try parseAsRoot(
      arguments.isEmpty ? ["--help"] : ArgumentNames.joiningNumbers(arguments))
  }
}
