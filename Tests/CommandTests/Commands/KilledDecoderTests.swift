import Foundation
import Testing
import _TestSupport

/// Films whose decoder is killed from outside. Such a film is not damaged.
@Suite struct KilledDecoderTests {
  private static func film() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=10:duration=3 -c:v libx264 in.mkv", in: folder)
    return folder
  }

  /// A decoder that is ended with a signal after some bytes.
  private static func decoder(endedBy signal: String, after bytes: Int) throws -> TemporaryFolder {
    try FilmTools.standIn(
      #"case "$*" in *yuv4mpegpipe*) "$real" "$@" | head -c \#(bytes); kill -\#(signal) $$; sleep 9;; "#
        + #"*) exec "$real" "$@";; esac"#)
  }

  /// The signal comes inside a frame, before the first frame, or after the last frame.
  @Test(
    "a film whose decoder was ended is not called damaged", .withFFmpeg,
    arguments: [
      ("KILL", 20_000, "was killed, probably for lack of memory", Int32(75)),
      ("KILL", 0, "was killed", 75), ("TERM", 9_000_000, "was ended by another program", 75),
      ("SEGV", 20_000, "crashed (signal 11)", 1),
    ])
  func endedDecodersAreNoDamage(signal: String, bytes: Int, text: String, status: Int32) async {
    await #expect(processExitsWith: .success) {
      [
        signal = signal as String, bytes = bytes as Int, text = text as String,
        status = status as Int32
      ] in
      let folder = try Self.film()
      let outcome = try FilmTools.video(
        ["in.mkv", "out.mkv", "--depth"], in: folder,
        tools: try Self.decoder(endedBy: signal, after: bytes))
      #expect(outcome.status == status, "\(outcome.errors)")
      #expect(
        outcome.errorLines.count == 1
          && outcome.errors.hasPrefix("depth: in.mkv: ffmpeg's decoder \(text)"),
        "\(outcome.errors)")
      #expect(try folder.names == ["in.mkv"])
    }
  }

  @Test("a later run uses an ended run's segments", .withFFmpeg, arguments: [55_000, 9_000_000])
  func segmentsAreKept(bytes: Int) async {
    await #expect(processExitsWith: .success) { [bytes = bytes as Int] in
      let folder = try Self.film()
      let whole = try FilmTools.video(FilmTools.segments, in: folder)
      #expect(whole.status == 0, "\(whole.errors)")
      let wanted = try FilmTools.sums(folder.path("out.mkv"), "-map 0 -f framemd5")
      try FileManager.default.removeItem(atPath: folder.path("out.mkv"))
      let ended = try FilmTools.video(
        FilmTools.segments, in: folder, tools: try Self.decoder(endedBy: "KILL", after: bytes))
      #expect(ended.status == 75, "\(ended.errors)")
      #expect(FileManager.default.fileExists(atPath: folder.path(".out.mkv.depth/00001.video")))
      let resumed = try FilmTools.video(
        FilmTools.segments, in: folder, tools: try FilmTools.standIn(#"exec "$real" "$@""#))
      #expect(resumed.status == 0, "\(resumed.errors)")
      #expect(try FilmTools.sums(folder.path("out.mkv"), "-map 0 -f framemd5") == wanted)
    }
  }
}
