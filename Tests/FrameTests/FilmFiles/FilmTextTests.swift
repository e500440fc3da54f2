import DepthImages
import FrameStreams
import Testing

@testable import FilmFiles

/// Times and versions as text.
@Suite struct FilmTextTests {
  @Test(
    "texts such as 90, 90s and 1:30 are film times",
    arguments: [
      ("90", 90.0), ("90s", 90), ("1:30", 90), ("0:01:30.5", 90.5), ("", nil), ("a", nil),
      ("-1", nil),
      ("1:2:3:4", nil), ("1:30s", nil), ("1:60", nil), ("0:1:60", nil), ("90:00", 5400),
    ] as [(String, Double?)])
  func times(text: String, seconds: Double?) {
    #expect(FilmTime(text)?.seconds == seconds)
  }

  /// ffmpeg 5.1 and 6.1 added options that films need.
  @Test(
    "ffmpeg versions below 5.1 or 6.1 are recognized",
    arguments: [
      ("ffmpeg version 5.1.9-0+deb12u1 Copyright", false, true),
      ("ffmpeg version 4.4.2 Copyright", true, true), ("ffmpeg version n7.0 x", false, false),
      ("ffmpeg version n6.0 x", false, true), ("ffmpeg version n5.0.3 x", true, true),
      ("ffmpeg version n9.0.2-17-g2a571b6068-20260930 x", false, false),
      ("ffmpeg version 5.0 x", true, true), ("ffmpeg version 6 x", false, true),
      ("ffmpeg version 6.0.1 x", false, true), ("ffmpeg version 6.1 x", false, false),
      ("ffmpeg version 7.0.2-static x", false, false), ("ffmpeg version 10.0 x", false, false),
      ("ffmpeg version N-1234-gabc", false, false), ("", false, false),
    ])
  func versions(text: String, isBelow51: Bool, isBelow61: Bool) {
    #expect(FFmpeg.isOld(text, below: (5, 1)) == isBelow51)
    #expect(FFmpeg.isOld(text, below: (6, 1)) == isBelow61)
  }

  /// ffmpeg ignores digits below microseconds, and the text must have no exponent.
  @Test(
    "times for ffmpeg are whole microseconds, rounded down",
    arguments: [
      (0, "0us"), (0.000011, "11us"), (1e-7, "0us"), (0.29, "290000us"), (2.0 / 3, "666666us"),
      (1234.5678909, "1234567890us"), (90, "90000000us"),
    ] as [(Double, String)])
  func timesForFFmpeg(seconds: Double, text: String) { #expect(FFmpeg.time(seconds) == text) }

  @Test(
    "invalid numbers of microseconds give nil",
    arguments: [Double.nan, .infinity, -.infinity, 1e15, -1e15, 9.3e18])
  func numbersBeyondFilmsGiveNoTime(value: Double) { #expect(Int(filmMicroseconds: value) == nil) }

  @Test("times of films are rounded to whole microseconds") func timesOfFilms() {
    #expect(Int(filmMicroseconds: 40_000.4) == 40_000 && Int(filmMicroseconds: -2.5) == -3)
  }

  @Test(
    "encoded sound has 96 kbit/s for each of up to 8 channels",
    arguments: [(1, 96_000), (6, 576_000), (24, 768_000)])
  func newSoundHasARateByItsChannels(channels: Int, rate: Int) {
    let handling = StreamHandling.encoded(StreamEncoder(sound: "aac", channels: channels))
    #expect(
      handling.arguments(at: 2)
        == ["-c:2", "aac", "-b:2", "\(rate)", "-filter:2", "aresample=async=1"])
  }

  @Test(
    "Matroska codes chroma siting as 1 (edge) or 2 (middle)",
    arguments: [(.center, 2, 2), (.left, 1, 2), (.topLeft, 1, 1)]
      as [(Y4MHeader.Siting, UInt8, UInt8)])
  func matroskaSaysWhereChromaIs(siting: Y4MHeader.Siting, across: UInt8, down: UInt8) {
    let header = RawMatroska(
      layout: PlanarLayout(chroma: .quarter, siting: siting, matrix: .bt709),
      size: PixelSize(width: 4, height: 2), frameDuration: 0, pixelAspect: Ratio(1, 1),
      tags: ColorTags(range: nil, matrix: nil)
    ).header
    for (id, value) in [(UInt8(0xB7), across), (0xB8, down)] {
      let number = [0x55, id, 1, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, value]
      #expect(header.ranges(of: number).count == 1)
    }
  }
}
