import DepthBase
import DepthErrors
import FilmFiles
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
    /// Time of the last of those frames, in microseconds.
    var last: Int?
    /// The file with what is known of those frames.
    var memory: String?

    /// Whether all files that it names are of this program's making, in the folder, and its numbers those of a film.
    var isConsistent: Bool {
      (segments.map(\.file) + [memory].compactMap(\.self)).allSatisfy(FilmFolder.isOwn)
        && (segments.flatMap { [$0.frames, $0.microseconds] } + [frames, last ?? 0]).allSatisfy {
          Int(filmMicroseconds: Double($0)) != nil
        }
    }
  }

  let url: URL
  private let folder: OwnedFolder

  /// The folder of an output, which is created if it does not exist.
  ///
  /// - Throws: `DepthError`, also where another process works on the same film.
  init(for output: URL) throws {
    let place = output.deletingLastPathComponent()
    let name = Self.name(
      for: output.lastPathComponent, upTo: FilmContainer.longestName(in: place))
    url = place.appending(path: name, directoryHint: .isDirectory)
    folder = try OwnedFolder(at: url, for: output.relativePath)
  }

  func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

  /// The saved record; `nil` for an empty folder, and for one without a record.
  var record: Record? {
    guard let data = try? Data(contentsOf: url.appending(path: Self.recordName)) else { return nil }
    let record = try? JSONDecoder().decode(Record.self, from: data)
    return record?.isConsistent == true ? record : nil
  }

  /// Writes what is there, after the files that it names.
  func write(_ record: Record) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try AtomicFile.write(
      Array(try encoder.encode(record)), to: url.appending(path: Self.recordName))
  }

  /// State after the frames before the next segment.
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
    for name in folder.names where Self.isOwn(name) && !kept.contains(name) {
      folder.removeFile(name)
    }
  }

  /// Removes a file that the record no longer names.
  func removeFile(_ name: String) { folder.removeFile(name) }

  /// Removes the folder and all files of runs in it; with any other file in it, it stays.
  func remove() {
    keepOnly(nil)
    folder.remove()
  }
}
