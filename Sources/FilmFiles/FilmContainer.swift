import DepthErrors
package import SystemEssentials

/// The kind of file that a film is written as.
package struct FilmContainer: Sendable, Hashable {
  /// ffmpeg's name of the muxer.
  let muxer: String
  /// The ending of the file's name, with its dot.
  let ending: String

  /// Endings of films that folders are searched for.
  package static let inputs: Set<String> = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "vob", "ts", "m2ts", "mts", "wmv",
    "flv", "ogv", "3gp", "dv",
  ]

  /// One container of each kind that people play.
  static let common = [
    FilmContainer(muxer: "mp4", ending: ".mp4"), FilmContainer(muxer: "matroska", ending: ".mkv"),
    FilmContainer(muxer: "mov", ending: ".mov"), FilmContainer(muxer: "webm", ending: ".webm"),
    FilmContainer(muxer: "mpegts", ending: ".ts"), FilmContainer(muxer: "avi", ending: ".avi"),
  ]

  private static let others = ["m4v": "mp4", "m2ts": "mpegts", "nut": "nut"]

  private init(muxer: String, ending: String) { (self.muxer, self.ending) = (muxer, ending) }

  /// The container that a file's name selects.
  ///
  /// - Throws: `DepthError` for a name of no film.
  package init(_ file: URL) throws {
    let found = file.pathExtension.lowercased()
    let muxer = Self.common.first { $0.ending == ".\(found)" }?.muxer ?? Self.others[found]
    guard let muxer else {
      throw DepthError.unknownExtension(
        file: file.relativePath, expected: Self.common.map(\.ending), found: found)
    }
    self.init(muxer: muxer, ending: ".\(found)")
  }

  /// Whether it is MP4 or its parent, QuickTime.
  var isMP4: Bool { muxer == "mp4" || muxer == "mov" }

  /// Whether it has a table of chapters.
  var holdsChapters: Bool { muxer != "mpegts" && muxer != "avi" }

  /// Whether it has a place for a timecode among its metadata.
  var holdsTimecode: Bool { holdsChapters }

  /// Video encoders of this ffmpeg whose codec the container holds.
  func encoders(of tools: FFmpeg) -> [String] {
    let encoders = muxer == "webm" ? ["libvpx-vp9", "libsvtav1", "libaom-av1"] : ["libx264"]
    return encoders.filter { tools.encoders[$0] != nil }
  }

  /// Bytes of the longest name that a folder's files may have; 255, as nearly everywhere, where the system does not say.
  package static func longestName(in folder: URL) -> Int {
    let path = folder.path(percentEncoded: false)
    let longest = unsafe pathconf(path.isEmpty ? "." : path, Int32(_PC_NAME_MAX))
    return longest > 0 ? Int(longest) : 255
  }

  /// The ending of a film that is made of another one in a folder.
  package static func ending(for input: URL) -> String {
    let found = input.pathExtension.lowercased()
    return ["mp4", "m4v", "mov", "mkv", "webm"].contains(found) ? found : "mkv"
  }
}
