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
    /// The file with what is known of those frames.
    var memory: String?

    /// Whether all files that it names are of this program's making, in the folder, and its numbers those of a film.
    var isConsistent: Bool {
      (segments.map(\.file) + [memory].compactMap(\.self)).allSatisfy(FilmFolder.isOwn)
        && (segments.flatMap { [$0.frames, $0.microseconds] } + [frames]).allSatisfy {
          Int(filmMicroseconds: Double($0)) != nil
        }
    }
  }

  let url: URL
  private let folder: OwnedFolder
  private static let recordName = "film.json"

  /// The folder of an output, which is created if it does not exist.
  ///
  /// - Throws: `DepthError`, also where another process works on the same film.
  init(for output: URL) throws {
    url = output.deletingLastPathComponent()
      .appending(path: ".\(output.lastPathComponent).depth", directoryHint: .isDirectory)
    folder = try OwnedFolder(at: url, for: output.relativePath)
  }

  /// Whether a name is one that a run gives a file in the folder.
  static func isOwn(_ name: String) -> Bool {
    if [recordName, "whole.part"].contains(name) || PartFile.isPartFile(name) { return true }
    func isNumber(_ text: Substring) -> Bool {
      !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    if name.hasPrefix("memory-"), name.hasSuffix(".plist") {
      return isNumber(name.dropFirst(7).dropLast(6))
    }
    let number = name.prefix { $0 != "." && $0 != "-" }
    guard isNumber(number) else { return false }
    let rest = name[number.endIndex...]
    if rest.hasPrefix("-"), rest.hasSuffix(".part") {
      return isNumber(rest.dropFirst().dropLast(5))
    }
    return rest == ".video" || rest == ".video.ffconcat"
      || rest.hasPrefix(".video.cover") && isNumber(rest.dropFirst(12))
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

/// The work of a stopped run, which another run may resume.
extension FilmRun {
  /// Message about the segments that Ctrl-C has left, and the command that resumes.
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

  /// The record of an earlier run, if it was the same.
  ///
  /// - Throws: `DepthError` where it was another one, or this one makes no segments: they may be hours of work.
  func record(_ folder: FilmFolder, _ excerpt: FilmExcerpt) throws -> FilmFolder.Record {
    let facts = FileFacts(of: URL(filePath: input))
    let part = FilmPart(
      excerpt: excerpt, segment: settings.segment, inputBytes: facts?.bytes,
      inputModified: facts?.modified)
    let fingerprint = settings.fingerprint + [try jsonLine(part)]
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

/// The film that a run works on, for its record.
private struct FilmPart: Encodable {
  let excerpt: FilmExcerpt
  /// Seconds.
  let segment: Double?
  let inputBytes, inputModified: Int?
}
