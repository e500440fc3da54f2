import DepthBase
import DepthErrors
import SystemEssentials

/// A list of photos: a file with one path per line, or the failed photos of a manifest.
struct PhotoList {
  private(set) var photos: [PhotoInput] = []
  /// Entries that are not paths, and why.
  private(set) var failures: [(path: String, error: any Error)] = []

  /// - Parameters:
  ///   - path: The list; `-` is standard input.
  ///   - isNullTerminated: Whether paths end with a zero byte, as `find -print0` writes them, and may contain line feeds.
  /// - Throws: `DepthError` for an unreadable file, and for a file that is not a list.
  init(contentsOf path: String, isNullTerminated: Bool) throws {
    let bytes = try InputFile.bytes(
      of: path == "-" ? Console.standardInput : URL(filePath: path), maximumBytes: 1 << 30)
    guard isNullTerminated || !bytes.contains(0) else {
      throw DepthError.unreadable(
        file: path,
        reason: "holds zero bytes, expected a list with a path per line; "
          + "--null is for paths that end with zero bytes")
    }
    let end: UInt8 = isNullTerminated ? 0 : UInt8(ascii: "\n")
    // The last of several lines about a photo counts.
    var logged: [String: (place: Int, photo: PhotoInput?)] = [:]
    for (place, line) in bytes.split(separator: end).enumerated() {
      // Windows ends lines with CR and LF.
      let entry =
        !isNullTerminated && line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if entry.isEmpty { continue }
      let text = String(fileName: Array(entry))
      if !isNullTerminated, let line = ManifestLine.Entry(text) {
        // A manifest is untrusted: its paths, too, must stay below the output folder.
        let photo = line.error.map { _ in
          PhotoInput(path: line.file, relativePath: line.relative.map(Self.mirroredPath))
        }
        logged[line.file] = (logged[line.file]?.place ?? place, photo)
      } else if !isNullTerminated, text.hasPrefix("{\""),
        !FileManager.default.fileExists(atPath: text)
      {
        let reason =
          "line \(place + 1) is a damaged line of a manifest, expected an object with the key 'path'"
        failures.append(
          ("\(path): line \(place + 1)", DepthError.unreadable(file: path, reason: reason)))
      } else {
        // Here '-' is a file name. Only an argument can mean standard input.
        photos.append(
          PhotoInput(
            path: text == "-" ? "./-" : text, relativePath: Self.mirroredPath(text)))
      }
    }
    let failed = logged.values.sorted { $0.place < $1.place }.compactMap(\.photo)
    photos += failed.filter { $0.path != "-" }
    if failed.contains(where: { $0.path == "-" }) {
      // In a manifest, '-' means standard input, and a file of that name is './-'.
      let reason =
        "lists '-' as a photo that failed, but standard input cannot be read again; pass the photo to "
        + "'depth' again by itself"
      failures.append(("-", DepthError.unreadable(file: path, reason: reason)))
    }
  }

  /// A path below an output folder, without a leading slash and without `.` and `..`.
  static func mirroredPath(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }
}
