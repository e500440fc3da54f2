import DepthBase
import DepthErrors
import FilmFiles
import SystemEssentials

/// Resuming of a stopped run.
extension FilmRun {
  /// A message with the number of finished segments after Ctrl-C, and the command that resumes.
  func stopMessage(segments: Int) -> String {
    guard segments > 0 else { return "no segment of \(input) is done" }
    let done = segments == 1 ? "1 segment of \(input) is" : "\(segments) segments of \(input) are"
    guard settings.overwrite else { return "\(done) done; the same command resumes" }
    // Without --overwrite, an existing film is an error.
    let obstacle =
      settings.replacesOutdated || FileFacts(of: output) == nil
      ? "" : " once \(output.relativePath) is removed"
    return "\(done) done; the same command without --overwrite resumes\(obstacle)"
  }

  /// The record of an earlier run with the same settings, or a new one.
  ///
  /// - Throws: `DepthError` if the earlier run had other settings, or if this run has no segments. Finished segments
  ///   may be hours of work and are not removed.
  func record(_ folder: FilmFolder, _ excerpt: FilmExcerpt) throws -> FilmFolder.Record {
    let facts = FileFacts(of: URL(filePath: input))
    let part = FilmPart(
      excerpt: excerpt, inputBytes: facts?.bytes, inputModified: facts?.modified)
    let fingerprint = fingerprint + [try jsonLine(part)]
    var record = FilmFolder.Record(
      fingerprint: fingerprint, encoderThreads: min(settings.threads, 16))
    if let found = folder.record, !settings.overwrite {
      func refusal(_ reason: String) -> DepthError {
        DepthError.unwritable(file: output.relativePath, reason: reason)
      }
      guard settings.recipe.segment != nil else {
        throw refusal(
          "has finished segments of a stopped run; --segments and that run's other options resume it, "
            + "--overwrite starts again")
      }
      guard found.fingerprint == fingerprint else {
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

/// A film's input, for its record.
private struct FilmPart: Encodable {
  /// The excerpt of the film that the run converts.
  let excerpt: FilmExcerpt
  let inputBytes, inputModified: Int?
}
