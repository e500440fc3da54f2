import ArgumentParser
import FilmFiles

/// The part of a film that is processed, and its segments.
struct FilmPartOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Start of the part to process, such as 90 or 90s (seconds), 1:30 or 0:01:30; by default the film's start.
      """,
      valueName: "time"), transform: FilmTime.argument)
  var start: FilmTime?

  @Option(
    help: ArgumentHelp(
      "Length of the part to process, written like --start; by default up to the film's end.",
      valueName: "time"), transform: FilmTime.argument)
  var duration: FilmTime?

  @Option(
    help: ArgumentHelp(
      """
      Process only a part of this length from the middle of the film. Not with --start and --duration.
      """,
      valueName: "time"), transform: FilmTime.argument)
  var preview: FilmTime?

  @Flag(
    help: ArgumentHelp(
      "Keep finished segments, so that the same command resumes after a stop.",
      discussion: """
        Until the film is complete, segments are kept in a hidden folder beside it, and Ctrl-C writes no film. \
        Only a run of the same program and ffmpeg with the same options resumes; --overwrite starts again, and anything \
        else is refused. Temporal filters continue across segments.
        """))
  var segments = false

  @Option(
    help: ArgumentHelp(
      "Length of a segment, 0.1s or more, for --segments; 60s by default.", valueName: "time"),
    transform: FilmTime.argument)
  var segmentLength: FilmTime?

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
  }

  var excerpt: FilmExcerpt { FilmExcerpt(start: start?.seconds, duration: duration?.seconds) }

  /// Duration of a segment in seconds; `nil` without segments.
  var segment: Double? { segments ? segmentLength?.seconds ?? 60 : nil }
}

extension FilmTime: ArgumentWord {
  static let expected = "a time such as 90, 90s, 1:30 or 0:01:30"

  init?(word: String) { self.init(word) }
}
