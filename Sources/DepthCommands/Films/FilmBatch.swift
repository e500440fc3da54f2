import DepthBase
import DepthErrors
import DepthImages
import FilmFiles
import MonocularDepth
import PictureFiles
import SystemEssentials

/// The films of a command, processed one after another.
struct FilmBatch {
  struct Settings: Sendable {
    let recipe: FilmRecipe
    // Settings that do not affect the bytes of a film.
    var overwrite, isQuiet: Bool
    /// Whether an existing film is replaced. Stopped films are resumed in any case.
    var replacesOutdated = false
    /// Number of threads. The encoder's number of threads affects its output, and is stored in the
    /// film's record.
    var threads: Int
    var limits: ImageLimits
  }

  let films: [FilmOutput]
  let settings: Settings
  /// Sources of every film, besides its input.
  let sources: [String]
  let estimation: MapEstimation
  let json: Bool
  let tools: FFmpeg
  let parts: FilmParts

  /// Makes the films. A failed film does not stop the run.
  ///
  /// - Throws: `DepthError`; the exit status if a film failed or after Ctrl-C.
  func perform() throws {
    let (skipsExisting, isQuiet) = (settings.replacesOutdated, settings.isQuiet)
    let request = settings.recipe.request
    let fingerprint =
      settings.recipe.segment == nil
      ? [] : try settings.recipe.fingerprint(by: estimation.estimator, tools)
    let fullDisk = FullDisk()
    var (skipped, failures, hasTemporary) = (0, 0, false)
    if skipsExisting, !isQuiet, let note = UpToDate.note(on: films.map(\.input) + sources) {
      Console.note(note)
    }
    for film in films {
      if PhotoFile.extensions.contains(URL(filePath: film.input).pathExtension.lowercased()),
        !isQuiet
      {
        Console.note(
          "\(film.input) becomes a film of one picture; for photos use "
            + "'depth stereo', 'depth effect' and 'depth predict --view'")
      }
      if skipsExisting, UpToDate.holds([film.output], from: [film.input] + sources) {
        skipped += 1
        continue
      }
      do {
        if let error = fullDisk.failure(writing: film.output) { throw error }
        let outcome = try FilmRun(
          input: film.input, output: film.output, settings: settings, fingerprint: fingerprint,
          tools: tools, parts: parts,
          pictures: { request.pictures(estimation: estimation, framesPerSecond: $0) }
        ).run()
        try report(film, outcome, nil)
      } catch let error as DepthError {
        guard films.count > 1 else {
          try report(film, nil, error)
          throw error
        }
        fullDisk.record(error, file: film.output)
        failures += 1
        if error.isTemporary { hasTemporary = true }
        Console.report(error)
        try report(film, nil, error)
      }
      if Interruption.hasCome { throw RunStatus.interrupted }
    }
    if skipped > 0, !isQuiet {
      Console.note("\(skipped) of \(films.count) films skipped; \(UpToDate.explanation)")
    }
    if failures > 0 { throw hasTemporary ? RunStatus.tryAgain : .failure }
  }

  private func report(
    _ film: FilmOutput, _ outcome: FilmRun.Outcome?, _ error: DepthError?
  ) throws {
    guard json else { return }
    let notes = outcome?.notes ?? []
    try Console.write(
      jsonLine(
        VideoRecord(
          input: film.input, request: settings.recipe.request,
          output: outcome == nil ? nil : film.output.relativePath,
          frames: outcome?.frames, notes: notes.isEmpty ? nil : notes,
          error: error.map(Console.text(of:)))))
  }
}

/// The line that `--json` prints.
struct VideoRecord: Encodable {
  let input: String
  let request: FilmRequest
  let output: String?
  let frames: Int?
  /// Notes for the user; `nil` without any.
  let notes: [String]?
  let error: String?
}
