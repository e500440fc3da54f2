import Testing

@testable import DepthCommands

/// Times and versions as text.
@Suite struct FilmTextTests {
  @Test(
    arguments: [
      ("90", 90.0), ("90s", 90), ("1:30", 90), ("0:01:30.5", 90.5), ("", nil), ("a", nil),
      ("-1", nil),
      ("1:2:3:4", nil), ("1:30s", nil), ("1:60", nil), ("0:1:60", nil), ("90:00", 5400),
    ] as [(String, Double?)])
  func times(text: String, seconds: Double?) {
    #expect(FilmTime(argument: text)?.seconds == seconds)
  }

  @Test(arguments: [
    ("ffmpeg version 5.1.9-0+deb12u1 Copyright", false), ("ffmpeg version 4.4.2 Copyright", true),
    ("ffmpeg version n7.0 x", false), ("ffmpeg version 5.0 x", true),
    ("ffmpeg version N-1234-gabc", false),
    ("", false),
  ])
  func versions(text: String, isOld: Bool) { #expect(FFmpeg.isOld(text) == isOld) }
}
