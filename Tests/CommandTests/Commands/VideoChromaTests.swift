import Testing
import _TestSupport

/// The storage of colors in stereo films.
@Suite struct VideoChromaTests {

  @Test(
    "interleaved views share no chroma samples", .withFFmpeg,
    arguments: [
      ("rows", "yuv420p", "yuv444p"), ("columns", "yuv422p", "yuv444p"),
      ("anaglyph", "yuv420p", "yuv420p"), ("anaglyph", "yuv444p", "yuv444p"),
    ])
  func chromaOfStereo(format: String, old: String, new: String) throws {
    let folder = try TemporaryFolder()
    try FilmTools.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:rate=24 -t 0.1 -c:v libx264 -pix_fmt \(old) in.mkv",
      in: folder)
    let outcome = try FilmTools.video(["in.mkv", "out.mkv", "--stereo", format], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try FilmTools.streams(folder.path("out.mkv"))[0]["pix_fmt"] as? String == new)
  }
}
