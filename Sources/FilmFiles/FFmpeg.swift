import DepthBase
import DepthErrors
import Synchronization

/// The programs of ffmpeg and their capabilities.
package struct FFmpeg: Sendable {
  /// Paths of the two programs.
  let ffmpeg, ffprobe: String
  /// The first line of ffmpeg's banner.
  package let version: String
  let encoders: [String: String]
  /// The option that keeps the times of frames: `-fps_mode`, or `-vsync` before version 5.1.
  let timing: [String]
  /// Whether the durations of packets can be set, which is certain from version 5.1.
  let setsDurations: Bool
  /// The option that keeps the film's ticks. Version 6.1 introduced a name for the value; version 9 accepts only the
  /// name.
  let ticks: [String]

  /// Finds the programs on the PATH.
  ///
  /// - Throws: `DepthError` if a program is missing.
  package init() throws {
    ffmpeg = try Self.path(of: "ffmpeg")
    ffprobe = try Self.path(of: "ffprobe")
    // One start instead of two: ffmpeg loads 200 libraries each time.
    let banner = Mutex("")
    let list = try Self.text(ffmpeg, ["-encoders"]) { line in
      guard line.hasPrefix("ffmpeg version") else { return false }
      banner.withLock { $0 = line }
      return true
    }
    encoders = Dictionary(
      Self.entries(of: list).map { ($0.name, Self.codec(of: $0)) },
      uniquingKeysWith: { first, _ in first })
    version = banner.withLock(\.self)
    let isOld = Self.isOld(version, below: (5, 1))
    setsDurations = !isOld
    timing = isOld ? ["-vsync", "passthrough"] : ["-fps_mode", "passthrough"]
    ticks = ["-enc_time_base", Self.isOld(version, below: (6, 1)) ? "-1" : "demux"]
  }

  /// The `file:` URL of a path, since ffmpeg misreads bare paths with a colon or a leading hyphen.
  static func url(_ file: String) -> String { "file:" + file }

  /// Seconds as an option, in whole microseconds, since ffmpeg truncates fractions and rejects numbers such as `1e-05`.
  static func time(_ seconds: Double) -> String {
    "\(Int(filmMicroseconds: (seconds * 1_000_000 + 0.001).rounded(.down)) ?? 0)us"
  }

  /// Whether a version text names a version below `other`; `false` for a build from source, which has no number.
  static func isOld(_ text: String, below other: (major: Int, minor: Int)) -> Bool {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count > 2 else { return false }
    // Versions from the repository's tags begin with n.
    let version = words[2].first == "n" ? words[2].dropFirst() : words[2]
    let numbers = version.split { !$0.isNumber }.prefix(2).map { Int($0) ?? 0 }
    guard version.first?.isNumber ?? false, let major = numbers.first else { return false }
    return (major, numbers.count < 2 ? 0 : numbers[1]) < other
  }

  private static func path(of name: String) throws -> String {
    if let path = ProgramStart.path(of: name) { return path }
    throw DepthError(
      .unreadable,
      "\(name) is not on the PATH: 'sudo apt install ffmpeg' (Debian, Ubuntu) or "
        + "'brew install ffmpeg' (macOS) installs it")
  }

  /// Runs a program and returns its output.
  ///
  /// - Parameter take: Receives messages, as in `ChildProcess`.
  /// - Throws: `DepthError` with the program's first message if the program fails.
  static func text(
    _ program: String, _ arguments: [String],
    take: @escaping @Sendable (String) -> Bool = { _ in false }
  ) throws -> String {
    let child = try ChildProcess(program, arguments, output: .pipe, take: take)
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

  /// The second word of each line of a list, and the text after it.
  private static func entries(of list: String) -> [(name: String, text: Substring)] {
    list.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 2)
      return words.count > 1 ? (String(words[1]), words.count > 2 ? words[2] : "") : nil
    }
  }

  /// The codec of an encoder: `hevc` for a description that ends in `(codec hevc)`, or else the encoder's name.
  private static func codec(of encoder: (name: String, text: Substring)) -> String {
    guard encoder.text.hasSuffix(")"), let start = encoder.text.ranges(of: "(codec ").last else {
      return encoder.name
    }
    return String(encoder.text[start.upperBound...].dropLast())
  }

  /// - Throws: `DepthError` if ffmpeg cannot be started.
  func hasFilter(_ name: String) throws -> Bool {
    try Self.text(ffmpeg, ["-hide_banner", "-h", "filter=\(name)"]).contains("Filter \(name)\n")
  }

  /// - Throws: `DepthError` if ffmpeg cannot be started.
  func hasDecoder(_ name: String) throws -> Bool {
    try Self.text(ffmpeg, ["-hide_banner", "-h", "decoder=\(name)"]).contains("Decoder \(name) ")
  }

  /// Names of an encoder's sample formats; empty for an encoder without a list.
  ///
  /// - Throws: `DepthError` if ffmpeg cannot be started.
  func pixelFormats(of encoder: String) throws -> [String] {
    let help = try Self.text(ffmpeg, ["-hide_banner", "-h", "encoder=\(encoder)"])
    let line = help.split(separator: "\n").first { $0.contains("Supported pixel formats:") }
    guard let line, let colon = line.firstIndex(of: ":") else { return [] }
    return line[colon...].dropFirst().split(separator: " ").map(String.init)
  }
}
