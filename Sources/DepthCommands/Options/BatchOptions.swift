import ArgumentParser

/// The choice of a run's photos, and the options for resuming an earlier run.
struct BatchOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Also search the subfolders of the folders that are given as photos.",
      discussion: """
        A folder means its JPEG, MPO, PNG, HEIC, WebP and AVIF files, except hidden files and files that this program wrote. Links to \
        folders inside it are not followed. The folder given by --output-dir gets the same tree of subfolders.
        """))
  var recursive = false

  @Option(
    help: ArgumentHelp(
      "Also process the photos that this file lists; '-' is standard input.",
      discussion: """
        The file has one path per line, or is a file that --manifest wrote; then only the photos that failed are processed.
        """,
      valueName: "file"),
    completion: .file())
  var filesFrom: String?

  @Flag(
    name: [.customShort("0"), .long],
    help: """
      Paths in the --files-from file end with a zero byte instead of a line feed, as written by 'find -print0'.
      """)
  var null = false

  @Flag(
    help: ArgumentHelp(
      "Skip photos whose output files exist and are up to date; make older ones again.",
      discussion: """
        Files are up to date if none of them is empty or older than the photo, its depth file, the calibration and \
        weights that are named as files. Options are not compared. A photo on standard input, and one whose result goes to \
        standard output, is never skipped.
        """))
  var skipExisting = false

  @Option(
    help: ArgumentHelp(
      """
      Append one line of JSON per photo to this file: path, outputs, nearest and farthest depth in metres, error, \
      milliseconds.
      """,
      valueName: "file.jsonl"),
    completion: .file())
  var manifest: String?

  @Option(
    help: ArgumentHelp(
      """
      Divide the photos into N parts and process only part I, such as 2/8. A photo's part is computed from its path \
      below the named folder (CRC-32), so it is the same on every machine.
      """,
      valueName: "i/n"), transform: Shard.argument)
  var shard: Shard?

  /// Names of the given options.
  var givenOptions: [String] {
    optionNames([
      "--recursive": recursive, "--files-from": filesFrom != nil, "--skip-existing": skipExisting,
      "--manifest": manifest != nil, "--shard": shard != nil,
    ])
  }

  func validate() throws {
    if null, filesFrom == nil { throw ValidationError("--null requires --files-from") }
    if manifest == "-" { throw ValidationError("--manifest takes a file, expected no '-'") }
  }

  var settings: BatchSettings {
    BatchSettings(
      recursive: recursive, filesFrom: filesFrom, null: null, skipExisting: skipExisting,
      manifest: manifest, shard: shard)
  }
}
