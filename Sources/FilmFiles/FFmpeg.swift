import DepthBase
import DepthErrors

/// The programs of ffmpeg on this machine.
package struct FFmpeg: Sendable {
  /// Paths of the two programs.
  let ffmpeg, ffprobe: String
  /// The first line of what ffmpeg says of itself.
  package let version: String
  let filters: Set<String>
  /// The codec of each encoder.
  let encoders: [String: String]
  /// How frames keep their times: `-fps_mode`, or `-vsync` before version 5.1.
  let timing: [String]
  /// Whether durations of packets can be set, from version 5.1 on for certain.
  let setsDurations: Bool
  /// How an encoder takes over the film's ticks: version 6.1 gave it a name, and version 9 knows the name alone.
  let ticks: [String]

  /// Finds the programs on the path.
  ///
  /// - Throws: `DepthError` where one is missing.
  package init() throws {
    ffmpeg = try Self.path(of: "ffmpeg")
    ffprobe = try Self.path(of: "ffprobe")
    filters = Set(try Self.list(ffmpeg, "-filters").map(\.name))
    encoders = Dictionary(
      try Self.list(ffmpeg, "-encoders").map { ($0.name, Self.codec(of: $0)) },
      uniquingKeysWith: { first, _ in first })
    let text = try Self.text(ffmpeg, ["-hide_banner", "-version"])
    version = text.split(separator: "\n").first.map(String.init) ?? ""
    let isOld = Self.isOld(version, below: (5, 1))
    setsDurations = !isOld
    timing = isOld ? ["-vsync", "passthrough"] : ["-fps_mode", "passthrough"]
    ticks = ["-enc_time_base", Self.isOld(version, below: (6, 1)) ? "-1" : "demux"]
  }

  /// A file as ffmpeg's programs take it: a name alone is a URL to them if it has a colon, and an option if it begins with
  /// a hyphen.
  static func url(_ file: String) -> String { "file:" + file }

  /// Seconds as an option: whole microseconds, which ffmpeg cuts off too. It does not know `1e-05`.
  static func time(_ seconds: Double) -> String {
    "\(Int(filmMicroseconds: (seconds * 1_000_000 + 0.001).rounded(.down)) ?? 0)us"
  }

  /// Whether a version's text names one below another; builds from source name none.
  static func isOld(_ text: String, below other: (major: Int, minor: Int)) -> Bool {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count > 2 else { return false }
    // Tags of the repository begin with an n.
    let version = words[2].first == "n" ? words[2].dropFirst() : words[2]
    let numbers = version.split { !$0.isNumber }.prefix(2).map { Int($0) ?? 0 }
    guard version.first?.isNumber ?? false, let major = numbers.first else { return false }
    return (major, numbers.count < 2 ? 0 : numbers[1]) < other
  }

  private static func path(of name: String) throws -> String {
    if let path = ProgramStart.path(of: name) { return path }
    throw DepthError(
      .unreadable,
      "\(name) is not on the path: 'sudo apt install ffmpeg' (Debian, Ubuntu) or "
        + "'brew install ffmpeg' (macOS) installs it")
  }

  /// Output of a program.
  ///
  /// - Throws: `DepthError` where it fails, with its last line.
  static func text(_ program: String, _ arguments: [String]) throws -> String {
    let child = try ChildProcess(program, arguments, output: .pipe)
    let bytes = child.readAll()
    let status = child.finish()
    guard status == 0 else {
      throw DepthError(
        .unreadable,
        child.messages.first.map(ChildProcess.plain)
          ?? "\(program) ended with status \(status)")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Names, the second words of a list's lines, and the texts behind them.
  private static func list(
    _ program: String, _ list: String
  ) throws -> [(name: String, text: Substring)] {
    let lines = try text(program, ["-hide_banner", list]).split(separator: "\n")
    return lines.compactMap { line in
      let words = line.split(separator: " ", maxSplits: 2)
      return words.count > 1 ? (String(words[1]), words.count > 2 ? words[2] : "") : nil
    }
  }

  /// The codec of an encoder: its name, or what ends the text about it, `(codec hevc)`.
  private static func codec(of encoder: (name: String, text: Substring)) -> String {
    guard encoder.text.hasSuffix(")"), let start = encoder.text.ranges(of: "(codec ").last else {
      return encoder.name
    }
    return String(encoder.text[start.upperBound...].dropLast())
  }

  /// - Throws: `DepthError` where ffmpeg cannot be started.
  func hasDecoder(_ name: String) throws -> Bool {
    try Self.text(ffmpeg, ["-hide_banner", "-h", "decoder=\(name)"]).contains("Decoder \(name) ")
  }

  /// Names of the sample formats that an encoder takes; none where it does not say.
  ///
  /// - Throws: `DepthError` where ffmpeg cannot be started.
  func pixelFormats(of encoder: String) throws -> [String] {
    let help = try Self.text(ffmpeg, ["-hide_banner", "-h", "encoder=\(encoder)"])
    let line = help.split(separator: "\n").first { $0.contains("Supported pixel formats:") }
    guard let line, let colon = line.firstIndex(of: ":") else { return [] }
    return line[colon...].dropFirst().split(separator: " ").map(String.init)
  }
}
