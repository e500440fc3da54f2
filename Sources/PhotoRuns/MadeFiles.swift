package import AtomicFiles
import FileChecksums
import PictureFiles
import Synchronization
package import SystemEssentials

/// What the files of a run were made with.
///
/// PNG, JPEG and GIF files say it themselves. PFM, NumPy, OpenEXR and multi-picture files cannot; for them a run with
/// `--skip-existing` appends a line to `.depth-made.jsonl` in their folder, before the file gets its name,
/// with the file's length and the CRC-32 of its first mebibyte. A line whose file never came, or was
/// replaced, does not fit and counts for nothing.
package final class MadeFiles: Sendable {
  private struct Line: Codable {
    let file: String
    let bytes: Int
    let crc32: UInt32
    let madeWith: String
  }

  package static let name = ".depth-made.jsonl"
  private static let checkedBytes = 1 << 20

  /// Whether files without room for a text get their lines.
  private let keepsLines: Bool
  private let lines = Mutex<[String: Lines]>([:])

  /// What is known of a folder's lines, and of how many bytes.
  private struct Lines {
    var ofFile: [String: Line] = [:]
    var bytes = 0
  }
  private let logs = Mutex<[String: LineLog]>([:])

  package init(keepsLines: Bool) { self.keepsLines = keepsLines }

  /// The file with the text inside; where it has no room, its line is written.
  ///
  /// - Throws: `DepthError` with code `unwritable`.
  package func noted(
    _ bytes: [UInt8], for file: URL, madeWith text: String, hasRoom: Bool = true
  ) throws -> [UInt8] {
    if hasRoom, let noted = FileNote.adding(text, to: bytes) { return noted }
    if keepsLines {
      try addLine(
        for: file, bytes: bytes.count, start: bytes.prefix(Self.checkedBytes), madeWith: text)
    }
    return bytes
  }

  /// Like ``noted(_:for:madeWith:hasRoom:)``; the line of a file made in pieces is written after its
  /// last piece, which is before the file gets its name.
  package func noted(
    _ content: FileContent, for file: URL, madeWith text: String
  ) throws -> FileContent {
    switch content {
    case .bytes(let bytes): return .bytes(try noted(bytes, for: file, madeWith: text))
    case .pieces(let makePieces):
      guard keepsLines else { return content }
      return .pieces { [self] write in
        var (count, start) = (0, [UInt8]())
        try makePieces { piece in
          count += piece.count
          start.append(piece.extracting(0..<min(Self.checkedBytes - start.count, piece.count)))
          try write(piece)
        }
        try addLine(for: file, bytes: count, start: start[...], madeWith: text)
      }
    }
  }

  private func addLine(
    for file: URL, bytes: Int, start: ArraySlice<UInt8>, madeWith text: String
  ) throws {
    let line = Line(
      file: file.lastPathComponent, bytes: bytes, crc32: CRC32.checksum(start), madeWith: text)
    let folder = Self.folder(of: file)
    let log = try logs.withLock { logs in
      if let log = logs[folder] { return log }
      // As many as may be open at once; a log that is opened again goes on at its end.
      if logs.count >= 32 { logs.removeAll() }
      let log = try LineLog(appendingTo: URL(filePath: folder + Self.name))
      logs[folder] = log
      return log
    }
    try log.append(String(jsonLine(line).dropLast()))
  }

  /// Whether a file is there, has that text, and is not older than what it is made from.
  ///
  /// - Parameter inputs: Paths.
  package func has(_ file: URL, madeWith text: String, from inputs: [String]) throws -> Bool {
    guard let facts = FileFacts(of: file), try self.text(of: file, facts) == text else {
      return false
    }
    return !inputs.contains { Self.isOlder(file, than: $0) }
  }

  /// Whether a file is missing, or older than what it is made from, or that is missing.
  package static func isOlder(_ file: URL, than input: String) -> Bool {
    guard let facts = FileFacts(of: file), let source = FileFacts(of: URL(filePath: input)) else {
      return true
    }
    return source.modified > facts.modified
  }

  private func text(of file: URL, _ facts: FileFacts) throws -> String? {
    if let text = FileNote.text(of: file) { return text }
    let folder = Self.folder(of: file)
    let line = try lines.withLock { lines in
      // Another run may have appended to them.
      try Self.read(folder, &lines[folder, default: Lines()])
      return lines[folder]?.ofFile[file.lastPathComponent]
    }
    guard let line, line.bytes == facts.bytes,
      let start = InputFile.beginning(of: file, count: Self.checkedBytes),
      CRC32.checksum(start[...]) == line.crc32
    else { return nil }
    return line.madeWith
  }

  /// Reads what was appended since the last time; of several lines about a file the last one counts.
  private static func read(_ folder: String, _ lines: inout Lines) throws {
    let url = URL(filePath: folder + name)
    guard let facts = FileFacts(of: url), facts.bytes != lines.bytes else { return }
    if facts.bytes < lines.bytes { lines = Lines() }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    try LineLog.forEachLine(of: url, from: lines.bytes) { bytes in
      lines.bytes += bytes.count + 1
      guard let line = try? decoder.decode(Line.self, from: Data(bytes)) else { return }
      lines.ofFile[line.file] = line
    }
  }

  /// The folder of a file, ending in `/`; empty for the current one.
  package static func folder(of file: URL) -> String {
    AtomicFile.folder(of: file.path(percentEncoded: false))
  }
}
