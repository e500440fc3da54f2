import Testing
import _TestSupport

/// How the colors of stereo films are stored.
@Suite(.offPool) struct VideoChromaTests {
  private let tests = VideoTests()

  /// Interleaved views share no chroma; anaglyphs do where the film does, so that ordinary players show them.
  @Test(
    .enabled(if: VideoTests.ffmpegPath != nil, VideoTests.absence),
    arguments: [
      ("rows", "yuv420p", "yuv444p"), ("columns", "yuv422p", "yuv444p"),
      ("anaglyph", "yuv420p", "yuv420p"), ("anaglyph", "yuv444p", "yuv444p"),
    ])
  func chromaOfStereo(format: String, old: String, new: String) throws {
    let folder = try TemporaryFolder()
    try tests.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=24 -t 0.1 -c:v libx264 -pix_fmt \(old) in.mkv",
      in: folder)
    let outcome = try tests.video(["in.mkv", "out.mkv", "--stereo", format], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try tests.streams(folder.path("out.mkv"))[0]["pix_fmt"] as? String == new)
  }
}
