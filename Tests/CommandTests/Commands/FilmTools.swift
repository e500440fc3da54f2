import Foundation
import Testing
import _TestSupport

/// Films that ffmpeg makes, and ffprobe's reports on films.
enum FilmTools {
  private static let places = ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"]
  private static let program = places.map { $0 + "ffmpeg" }
    .first(where: FileManager.default.isExecutableFile(atPath:))
  fileprivate static let isInstalled = program != nil

  fileprivate static func has(_ encoder: String) throws -> Bool {
    try list.get().contains(" \(encoder) ")
  }

  /// Skips this case of a test if ffmpeg lacks an encoder.
  static func require(_ encoder: String) throws {
    if try !has(encoder) { try Test.cancel("ffmpeg has no encoder \(encoder)") }
  }

  private static let list = Result {
    try CommandLineTool(at: try #require(program)).run(["-hide_banner", "-encoders"]).text
  }

  /// A folder for `PATH`, in which the script `ffmpeg` calls the real ffmpeg as `"$real"`.
  static func standIn(_ script: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let real = try #require(program)
    _ = try folder.write(Array("#!/bin/sh\nreal='\(real)'\n\(script)\n".utf8), to: "ffmpeg")
    chmod(folder.path("ffmpeg"), 0o755)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("ffprobe"),
      withDestinationPath: real.replacing("/ffmpeg", with: "/ffprobe"))
    return folder
  }

  static func ffmpeg(_ words: String, in folder: TemporaryFolder) throws {
    let tool = CommandLineTool(at: try #require(program))
    let outcome = try tool.run(
      ["-v", "error", "-nostdin", "-y"] + words.split(separator: " ").map(String.init),
      in: folder.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// ffprobe's JSON report on a film.
  static func probe(_ path: String, _ words: String = "-show_streams -show_format -show_chapters")
    throws -> [String: Any]
  {
    let tool = CommandLineTool(
      at: try #require(program).replacing("/ffmpeg", with: "/ffprobe"))
    let outcome = try tool.run(
      ["-v", "error", "-of", "json"] + words.split(separator: " ").map(String.init) + [path])
    return try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
  }

  static func streams(_ path: String) throws -> [[String: Any]] {
    try #require(try probe(path)["streams"] as? [[String: Any]])
  }

  /// Times of the pictures, sorted.
  static func times(_ path: String) throws -> [String] {
    let packets = try #require(
      try probe(path, "-select_streams v:0 -show_entries packet=pts_time")["packets"]
        as? [[String: Any]])
    return packets.compactMap { $0["pts_time"] as? String }.sorted {
      (Double($0) ?? 0) < (Double($1) ?? 0)
    }
  }

  /// Checksums of a film's frames, sound or packets, as `words` select.
  static func sums(_ path: String, _ words: String) throws -> String {
    let outcome = try CommandLineTool(at: try #require(program)).run(
      ["-v", "error", "-nostdin", "-i", path] + words.split(separator: " ").map(String.init) + ["-"]
    )
    return outcome.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
  }

  /// Runs `depth video`.
  ///
  /// - Parameter tools: A folder of other ffmpeg programs, for a test in its own process (`processExitsWith`).
  static func video(
    _ words: [String], in folder: TemporaryFolder, tools: TemporaryFolder? = nil
  ) throws -> CommandLineTool.Outcome {
    try runDepth(
      ["video"] + words + ["--quiet"],
      environment: tools.map { ["PATH": "\($0.path):/usr/bin:/bin"] } ?? [:], in: folder)
  }

  /// The notes in a record of `--json`.
  static func notes(_ outcome: CommandLineTool.Outcome) throws -> [String] {
    let record = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    return try #require(record)["notes"] as? [String] ?? []
  }

  /// Codecs of a film's streams by kind, in order.
  static func codecs(_ path: String) throws -> [String] {
    try streams(path).map { $0["codec_name"] as? String ?? "none" }
  }

  /// The arguments for a film in segments of 0.3 s.
  static let segments = [
    "in.mkv", "out.mkv", "--stereo", "anaglyph", "--segments", "--segment-length", "0.3s",
    "--depth-every", "2",
  ]
}

extension Trait where Self == ConditionTrait {
  /// Skips tests where ffmpeg is missing.
  static var withFFmpeg: Self { withFFmpeg() }

  /// Skips tests where ffmpeg or one of these encoders is missing.
  static func withFFmpeg(_ encoders: String...) -> Self {
    let name = "ffmpeg" + (encoders.isEmpty ? "" : " with " + encoders.joined(separator: " and "))
    return .enabled("\(name) is not installed; Scripts/checks/install-test-tools.sh installs it") {
      try FilmTools.isInstalled && encoders.allSatisfy(FilmTools.has)
    }
  }
}
