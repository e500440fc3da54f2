import DepthErrors
import SystemEssentials

/// The kind of file that a film is written as, by its name.
struct FilmContainer {
  /// ffmpeg's name.
  let name: String

  /// Endings of films that folders are searched for.
  static let inputs: Set<String> = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "ts", "m2ts", "mts", "wmv", "flv",
    "ogv", "3gp",
  ]

  private static let names = [
    "mp4": "mp4", "m4v": "mp4", "mov": "mov", "mkv": "matroska", "webm": "webm", "ts": "mpegts",
    "m2ts": "mpegts", "avi": "avi", "nut": "nut",
  ]

  /// - Throws: `DepthError` for a name of no film.
  init(_ file: URL) throws {
    let found = file.pathExtension.lowercased()
    guard let name = Self.names[found] else {
      throw DepthError.unknownExtension(
        file: file.relativePath, expected: [".mp4", ".mkv", ".mov", ".webm", ".ts", ".avi"],
        found: found)
    }
    self.name = name
  }

  /// The ending of a film that is made of another one in a folder.
  static func ending(for input: URL) -> String {
    let found = input.pathExtension.lowercased()
    return ["mp4", "m4v", "mov", "mkv", "webm"].contains(found) ? found : "mkv"
  }
}
