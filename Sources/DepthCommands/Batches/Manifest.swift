import DepthBase
import DepthErrors
import PictureFiles
import SystemEssentials

/// The record of a run and of the runs that it resumes: one line per photo, in the photos' order.
struct Manifest: Sendable {
  private let log: LineLog
  /// Number of bytes read to recognize a manifest by its first line.
  private static let longestLine = 1 << 16
  /// Photos whose last line has no error.
  private let finished: Set<String>

  /// Opens a manifest that may have lines already.
  ///
  /// - Throws: `DepthError` for a file that cannot be opened, and for a file that is not a manifest.
  init(appendingTo path: String) throws {
    try Self.check(path)
    let url = URL(filePath: path)
    log = try LineLog(appendingTo: url)
    var finished: Set<String> = []
    if FileFacts(of: url) != nil {
      try LineLog.forEachLine(of: url) { bytes in
        guard let line = ManifestLine.Entry(String(decoding: bytes, as: UTF8.self)) else { return }
        if line.error == nil { finished.insert(line.file) } else { finished.remove(line.file) }
      }
    }
    self.finished = finished
  }

  /// Rejects a file that is not a manifest, since opening a manifest removes the text after the last
  /// line feed.
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
        reason:
          "is \(FileSignature(of: beginning).description), expected a new file or the manifest of an earlier run, "
          + "with lines such as {\"path\":\"photo.jpg\"}")
    }
  }

  /// Appends a line, unless it reports a skipped photo that an earlier line reports as finished.
  ///
  /// - Throws: `DepthError` with code `unwritable`, for example when the disk is full.
  func append(_ line: ManifestLine) throws {
    if line.skipped == true, finished.contains(line.file) { return }
    try log.append(String(jsonLine(line).dropLast()))
  }
}

/// Any JSON object; its contents are ignored.
private struct WholeObject: Decodable {
  init(from decoder: any Decoder) {}
}

/// One line of a manifest: the outcome of one photo.
struct ManifestLine: Encodable {
  let file: String
  /// The path as text. If the path is not valid UTF-8, ``pathBase64`` has its bytes.
  private let path: String
  private let pathBase64: String?
  /// ``PhotoInput/relativePath``, by which a later run over the failed photos mirrors the tree.
  private let relative: String
  private let relativeBase64: String?
  private var outputs: [String] = []
  private var outputsBase64: [String]?
  var nearM, farM: Float?
  var skipped: Bool?
  var error: String?
  /// Whether a retry may succeed for a failed photo.
  var retry: Bool?
  var milliseconds: Double?

  private enum CodingKeys: CodingKey {
    case path, pathBase64, relative, relativeBase64, outputs, outputsBase64, nearM, farM, skipped
    case error, retry, milliseconds
  }

  init(_ photo: PhotoInput) {
    file = photo.path
    (path, pathBase64) = (photo.path.spelledOut, photo.path.nameBase64)
    (relative, relativeBase64) = (photo.relativePath.spelledOut, photo.relativePath.nameBase64)
  }

  /// Sets the names of the output files.
  mutating func record(outputs names: [String]) {
    (outputs, outputsBase64) = (names.map(\.spelledOut), names.namesBase64)
  }

  /// Possible beginnings of lines. Keys are sorted, so a line begins with one of these keys.
  static let beginnings = ["error", "far_m", "milliseconds", "near_m", "outputs", "path"]
    .map { "{\"\($0)\":" }

  /// The keys of a line that are read.
  struct Entry: Decodable {
    private let path: String
    private let pathBase64, relativeBase64: String?
    private let relativeText: String?
    let error: String?

    private enum CodingKeys: String, CodingKey {
      case path
      case pathBase64 = "path_base64"
      case relativeText = "relative"
      case relativeBase64 = "relative_base64"
      case error
    }

    var file: String { String(nameBase64: pathBase64) ?? path }
    /// The photo's path in the tree that an output folder mirrors.
    var relative: String? { String(nameBase64: relativeBase64) ?? relativeText }

    /// - Returns: `nil` for text that is not a manifest line.
    init?(_ text: some StringProtocol) {
      guard text.utf8.first == UInt8(ascii: "{"),
        let entry = try? JSONDecoder().decode(Self.self, from: Data(text.utf8))
      else { return nil }
      self = entry
    }
  }
}

extension String {
  /// The bytes of a name that is not valid UTF-8, for records; `nil` for other names.
  var nameBase64: String? { isUTF8Name ? nil : fileNameBase64 }

  fileprivate var fileNameBase64: String { Data(fileNameBytes).base64EncodedString() }

  /// Decodes a name from base64 in a record; `nil` if the record has no base64.
  fileprivate init?(nameBase64 text: String?) {
    guard let bytes = text.flatMap({ Data(base64Encoded: $0) }) else { return nil }
    self.init(fileName: Array(bytes))
  }
}

extension [String] {
  /// The bytes of all names if one of them is not valid UTF-8; otherwise `nil`.
  var namesBase64: [String]? {
    allSatisfy(\.isUTF8Name) ? nil : map(\.fileNameBase64)
  }
}
