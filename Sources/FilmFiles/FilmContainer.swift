import DepthErrors
package import SystemEssentials

/// The container format of a film.
package struct FilmContainer: Sendable, Hashable {
  /// ffmpeg's name of the muxer.
  let muxer: String
  /// The file extension with its dot.
  let ending: String

  /// Extensions of films in a folder.
  package static let inputs: Set<String> = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "vob", "ts", "m2ts", "mts", "wmv",
    "flv", "ogv", "3gp", "dv",
  ]

  /// One container of each commonly played kind.
  static let common = [
    FilmContainer(muxer: "mp4", ending: ".mp4"), FilmContainer(muxer: "matroska", ending: ".mkv"),
    FilmContainer(muxer: "mov", ending: ".mov"), FilmContainer(muxer: "webm", ending: ".webm"),
    FilmContainer(muxer: "mpegts", ending: ".ts"), FilmContainer(muxer: "avi", ending: ".avi"),
  ]

  private static let others = ["m4v": "mp4", "m2ts": "mpegts", "nut": "nut"]

  private init(muxer: String, ending: String) { (self.muxer, self.ending) = (muxer, ending) }

  /// The container for a file extension.
  ///
  /// - Throws: `DepthError` for an unknown extension.
  package init(_ file: URL) throws {
    let found = file.pathExtension.lowercased()
    let muxer = Self.common.first { $0.ending == ".\(found)" }?.muxer ?? Self.others[found]
    guard let muxer else {
      throw DepthError.unknownExtension(
        file: file.relativePath, expected: Self.common.map(\.ending), found: found)
    }
    self.init(muxer: muxer, ending: ".\(found)")
  }

  /// Whether the container is MP4 or its parent, QuickTime.
  var isMP4: Bool { muxer == "mp4" || muxer == "mov" }

  var holdsChapters: Bool { muxer != "mpegts" && muxer != "avi" }

  /// Whether the container's metadata can contain a timecode.
  var holdsTimecode: Bool { holdsChapters }

  /// The available video encoders whose codec the container supports.
  func encoders(of tools: FFmpeg) -> [String] {
    let encoders = muxer == "webm" ? ["libvpx-vp9", "libsvtav1", "libaom-av1"] : ["libx264"]
    return encoders.filter { tools.encoders[$0] != nil }
  }

  /// Maximum bytes of a file name in a folder; 255, the usual limit, if unknown.
  package static func longestName(in folder: URL) -> Int {
    let path = folder.path(percentEncoded: false)
    let longest = unsafe pathconf(path.isEmpty ? "." : path, Int32(_PC_NAME_MAX))
    return longest > 0 ? Int(longest) : 255
  }

  /// The file extension of a film that is made from another film in a folder.
  package static func ending(for input: URL) -> String {
    let found = input.pathExtension.lowercased()
    return ["mp4", "m4v", "mov", "mkv", "webm"].contains(found) ? found : "mkv"
  }
}
