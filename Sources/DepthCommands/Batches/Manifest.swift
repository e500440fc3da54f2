import DepthBase
import DepthErrors
import SystemEssentials

/// The record of a run, and of the runs that it resumes: one line per photo, in the photos' order.
struct Manifest: Sendable {
  private let log: LineLog
  /// Bytes that are read to recognize a manifest by its first line.
  private static let longestLine = 1 << 16
  /// Photos whose last line has no error.
  private let finished: Set<String>

  /// Opens a manifest that may have lines already.
  ///
  /// - Throws: `DepthError`, also for a file that is not a manifest.
  init(appendingTo path: String) throws {
    try Self.check(path)
    let url = URL(filePath: path)
    log = try LineLog(appendingTo: url)
    var finished: Set<String> = []
    if FileFacts(of: url) != nil {
      try LineLog.forEachLine(of: url) { bytes in
        guard let line = ManifestLine.Entry(String(decoding: bytes, as: UTF8.self)) else { return }
        if line.error == nil { finished.insert(line.path) } else { finished.remove(line.path) }
      }
    }
    self.finished = finished
  }

  /// Refuses a file that is not a manifest: opening it as one removes what follows its last line feed.
  ///
  /// A file without a line feed may be a manifest whose first line was cut off.
  ///
  /// - Throws: `DepthError`.
  static func check(_ path: String) throws {
    guard let beginning = InputFile.beginning(of: URL(filePath: path), count: longestLine),
      !beginning.isEmpty
    else { return }
    let line = beginning.prefix { $0 != UInt8(ascii: "\n") }
    let text = String(decoding: line, as: UTF8.self)
    let isCutOff =
      line.count == beginning.count && line.count < Self.longestLine
      && ManifestLine.beginnings.contains { text.hasPrefix($0) || $0.hasPrefix(text) }
      && (try? JSONDecoder().decode(WholeObject.self, from: Data(line))) == nil
    guard isCutOff || ManifestLine.Entry(text) != nil else {
      throw DepthError.unreadable(
        file: path,
        reason: "is not a manifest, expected lines such as {\"path\":\"photo.jpg\"} or a new file")
    }
  }

  /// Appends a line; none for a photo that is skipped and has its line already.
  ///
  /// - Throws: `DepthError` with code `unwritable`, also when the disk is full.
  func append(_ line: ManifestLine) throws {
    if line.skipped == true, finished.contains(line.path) { return }
    try log.append(String(jsonLine(line).dropLast()))
  }
}

/// Any JSON object, of which nothing is read.
private struct WholeObject: Decodable {
  init(from decoder: any Decoder) {}
}

/// One line of a manifest: what became of one photo.
struct ManifestLine: Encodable {
  let path: String
  /// ``PhotoInput/relativePath``, so that a list of failures mirrors the same tree.
  let relative: String
  var outputs: [String] = []
  var nearM, farM: Float?
  /// Whether the outputs were there already.
  var skipped: Bool?
  var error: String?
  /// Whether a retry may succeed, for a photo that failed.
  var retry: Bool?
  var milliseconds: Double?

  /// How lines begin: their keys are in alphabetical order, and these can be the first.
  static let beginnings = ["error", "far_m", "milliseconds", "near_m", "outputs", "path"]
    .map { "{\"\($0)\":" }

  /// Keys that are read of a line.
  struct Entry: Decodable {
    let path: String
    let relative, error: String?

    /// - Returns: `nil` for text that is not such a line.
    init?(_ text: some StringProtocol) {
      guard text.utf8.first == UInt8(ascii: "{"),
        let entry = try? JSONDecoder().decode(Self.self, from: Data(text.utf8))
      else { return nil }
      self = entry
    }
  }
}
