import DepthBase
import DepthErrors
import SystemEssentials

/// The folder beside a film in the making, which holds its finished pieces.
///
/// It stays where the run was asked for segments and has not come to its end, so that the same command, without
/// `--overwrite`, goes on.
struct FilmFolder: Sendable {
  /// The record in the folder, `film.json`.
  struct Record: Codable, Sendable {
    struct Segment: Codable, Sendable {
      var file: String
      var frames: Int
      /// Time of its first picture.
      var microseconds: Int
    }

    /// Everything that the pictures depend on, the program's version first.
    var fingerprint: [String]
    /// Threads of the encoder, which its result depends on.
    var encoderThreads: Int
    var segments: [Segment] = []
    /// Frames that the segments are made of, damaged ones too.
    var frames = 0
    /// The file with what is known of those frames.
    var memory: String?
  }

  let url: URL
  private let claim: FileClaim?
  private static let recordName = "film.json"

  /// The folder of an output, which is created if it does not exist.
  ///
  /// - Throws: `DepthError`, also where another process works on the same film.
  init(for output: URL) throws {
    url = output.deletingLastPathComponent()
      .appending(path: ".\(output.lastPathComponent).depth", directoryHint: .isDirectory)
    try AtomicFile.makeFolder(url)
    switch FileClaim.ask(for: url) {
    case .mine(let claim): self.claim = claim
    case .none: claim = nil
    case .taken:
      throw DepthError.unwritable(
        file: output.relativePath, reason: "another run of this program is making it")
    }
  }

  func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

  /// What is there; `nil` for an empty folder, and for one without a record.
  var record: Record? {
    guard let data = try? Data(contentsOf: url.appending(path: Self.recordName)) else { return nil }
    return try? JSONDecoder().decode(Record.self, from: data)
  }

  /// Writes what is there, after the files that it names.
  func write(_ record: Record) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try AtomicFile.write(
      Array(try encoder.encode(record)), to: url.appending(path: Self.recordName))
  }

  /// What is known of the frames before the next segment.
  ///
  /// - Throws: `DepthError` with code `damaged`.
  func memory(_ name: String) throws -> FilmMemory {
    let data = try? Data(contentsOf: url.appending(path: name))
    guard
      let memory = data.flatMap({ try? PropertyListDecoder().decode(FilmMemory.self, from: $0) }),
      memory.isConsistent
    else {
      throw DepthError.damaged(
        file: path(name), format: "record of a film",
        reason: "cannot be read; --overwrite starts again")
    }
    return memory
  }

  func write(_ memory: FilmMemory, as name: String) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    try AtomicFile.write(Array(try encoder.encode(memory)), to: url.appending(path: name))
  }

  /// Removes what a record does not name.
  func keepOnly(_ record: Record?) {
    let kept = Set(
      (record?.segments.map(\.file) ?? []) + [record?.memory].compactMap { $0 }
        + (record == nil ? [] : [Self.recordName]))
    guard let listing = try? FolderListing(of: url) else { return }
    for name in listing.files where !kept.contains(name) { unsafe unlink(path(name)) }
  }

  /// Removes the folder and all that is in it.
  func remove() {
    keepOnly(nil)
    unsafe rmdir(url.path(percentEncoded: false))
  }
}

/// What a stopped run has left, and whether another may go on with it.
extension FilmRun {
  /// What Ctrl-C has left, and which command goes on with it.
  func stopMessage(segments: Int) -> String {
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
    let fingerprint =
      settings.fingerprint + [
        "excerpt=\(excerpt)", "segment=\(settings.segment ?? 0)",
        "input=\(facts?.bytes ?? 0) \(facts?.modified ?? 0)",
      ]
    var record = FilmFolder.Record(
      fingerprint: fingerprint, encoderThreads: min(settings.threads, 16))
    if let found = folder.record, !settings.overwrite {
      func refusal(_ reason: String) -> DepthError {
        DepthError.unwritable(file: output.relativePath, reason: reason)
      }
      guard settings.segment != nil else {
        throw refusal(
          "has finished segments of a stopped run; --segments and that run's other options continue it, "
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
