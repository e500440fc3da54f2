import DepthBase
import DepthErrors
import FilmFiles
import SystemEssentials

/// The folder beside an unfinished film, which contains its finished segments.
///
/// The folder is kept if a run with segments does not complete. The same command without `--overwrite` then
/// resumes.
struct FilmFolder: Sendable {
  /// The record in the folder, `film.json`.
  struct Record: Codable, Sendable {
    struct Segment: Codable, Sendable {
      var file: String
      var frames: Int
      /// Time of the segment's first picture.
      var microseconds: Int
    }

    /// All settings that affect the pictures, beginning with the program's version.
    var fingerprint: [String]
    /// Number of the encoder's threads, which affects its output.
    var encoderThreads: Int
    var segments: [Segment] = []
    /// Number of frames of all segments, including damaged frames.
    var frames = 0
    /// Time of the last frame in the segments, in microseconds.
    var last: Int?
    /// The name of the file with the state after the last frame.
    var memory: String?

    /// Whether all file names are names that runs create, and all numbers are possible for a film.
    var isConsistent: Bool {
      (segments.map(\.file) + [memory].compactMap(\.self)).allSatisfy(FilmFolder.isOwn)
        && (segments.flatMap { [$0.frames, $0.microseconds] } + [frames, last ?? 0]).allSatisfy {
          Int(filmMicroseconds: Double($0)) != nil
        }
    }
  }

  let url: URL
  private let folder: OwnedFolder

  /// Creates or opens the folder of an output.
  ///
  /// - Throws: `DepthError` if the folder cannot be opened, or if another process is making the same film.
  init(for output: URL) throws {
    let place = output.deletingLastPathComponent()
    let name = Self.name(
      for: output.lastPathComponent, upTo: FilmContainer.longestName(in: place))
    url = place.appending(path: name, directoryHint: .isDirectory)
    folder = try OwnedFolder(at: url, for: output.relativePath)
  }

  func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

  /// The saved record; `nil` without one.
  var record: Record? {
    guard let data = try? Data(contentsOf: url.appending(path: Self.recordName)) else { return nil }
    let record = try? JSONDecoder().decode(Record.self, from: data)
    return record?.isConsistent == true ? record : nil
  }

  /// Writes the record, after the files that it names.
  func write(_ record: Record) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try AtomicFile.write(
      Array(try encoder.encode(record)), to: url.appending(path: Self.recordName))
  }

  /// Reads the state before the next segment.
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

  /// Removes all files of runs, except those in the record.
  func keepOnly(_ record: Record?) {
    let kept = Set(
      (record?.segments.map(\.file) ?? []) + [record?.memory].compactMap { $0 }
        + (record == nil ? [] : [Self.recordName]))
    for name in folder.names where Self.isOwn(name) && !kept.contains(name) {
      folder.removeFile(name)
    }
  }

  /// Removes a file whose name is no longer in the record.
  func removeFile(_ name: String) { folder.removeFile(name) }

  /// Removes all files of runs, and the folder if it is then empty.
  func remove() {
    keepOnly(nil)
    folder.remove()
  }
}
