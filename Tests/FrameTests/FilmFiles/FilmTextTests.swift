import Testing

@testable import FilmFiles

/// Times and versions as text.
@Suite struct FilmTextTests {
  @Test(
    arguments: [
      ("90", 90.0), ("90s", 90), ("1:30", 90), ("0:01:30.5", 90.5), ("", nil), ("a", nil),
      ("-1", nil),
      ("1:2:3:4", nil), ("1:30s", nil), ("1:60", nil), ("0:1:60", nil), ("90:00", 5400),
    ] as [(String, Double?)])
  func times(text: String, seconds: Double?) {
    #expect(FilmTime(text)?.seconds == seconds)
  }

  @Test(arguments: [
    ("ffmpeg version 5.1.9-0+deb12u1 Copyright", false), ("ffmpeg version 4.4.2 Copyright", true),
    ("ffmpeg version n7.0 x", false), ("ffmpeg version 5.0 x", true),
    ("ffmpeg version N-1234-gabc", false),
    ("", false),
  ])
  func versions(text: String, isOld: Bool) { #expect(FFmpeg.isOld(text) == isOld) }

  /// As ffmpeg reads a number with a point, whose digits below microseconds it leaves out; and without an exponent.
  @Test(
    arguments: [
      (0, "0us"), (0.000011, "11us"), (1e-7, "0us"), (0.29, "290000us"), (2.0 / 3, "666666us"),
      (1234.5678909, "1234567890us"), (90, "90000000us"),
    ] as [(Double, String)])
  func timesForFFmpeg(seconds: Double, text: String) { #expect(FFmpeg.time(seconds) == text) }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e15, -1e15, 9.3e18])
  func timesOfNoFilm(value: Double) { #expect(Int(filmMicroseconds: value) == nil) }

  @Test func timesOfFilms() {
    #expect(Int(filmMicroseconds: 40_000.4) == 40_000 && Int(filmMicroseconds: -2.5) == -3)
  }
}
