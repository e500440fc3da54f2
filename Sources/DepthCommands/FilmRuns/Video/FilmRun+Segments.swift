import DepthBase
import DepthErrors
import SystemEssentials

/// What a stopped run has left, and whether another may go on with it.
extension FilmRun {
  /// What Ctrl-C has left, and which command goes on with it.
  func stopNote(segments: Int) -> String {
    guard segments > 0 else { return "no segment of \(input) is done" }
    let done = segments == 1 ? "1 segment of \(input) is" : "\(segments) segments of \(input) are"
    guard settings.overwrite else { return "\(done) done; the same command continues" }
    // An existing film is an error without that option.
    let obstacle =
      settings.replacesOutdated || FileFacts(of: output) == nil
      ? "" : " once \(output.relativePath) is removed"
    return "\(done) done; the same command without --overwrite continues\(obstacle)"
  }

  /// What an earlier run has left, if it was the same.
  ///
  /// - Throws: `DepthError` where it was another one, or this one makes no segments: they may be hours of work.
  func record(_ folder: FilmFolder, _ excerpt: FilmExcerpt) throws -> FilmFolder.Record {
    let facts = FileFacts(of: URL(filePath: input))
    let recipe =
      settings.recipe + [
        "excerpt=\(excerpt)", "segment=\(settings.segment ?? 0)",
        "input=\(facts?.bytes ?? 0) \(facts?.modified ?? 0)",
      ]
    var record = FilmFolder.Record(recipe: recipe, encoderThreads: min(settings.threads, 16))
    if let found = folder.record, !settings.overwrite {
      func refusal(_ reason: String) -> DepthError {
        DepthError.unwritable(file: output.relativePath, reason: reason)
      }
      guard settings.segment != nil else {
        throw refusal(
          "has finished segments of a stopped run; --segments and that run's other options continue it, "
            + "--overwrite starts again")
      }
      guard found.recipe == recipe else {
        throw refusal(
          "was started by another version, with other options or another film; --overwrite starts again"
        )
      }
      record = found
    }
    folder.keepOnly(record.segments.isEmpty ? nil : record)
    return record
  }
}
