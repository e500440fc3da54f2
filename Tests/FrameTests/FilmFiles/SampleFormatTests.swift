import FrameStreams
import Testing

@testable import FilmFiles

/// Sample formats by ffmpeg's names.
@Suite struct SampleFormatTests {
  @Test(
    "a format's name gives its colors, bits and alpha",
    arguments: [
      ("yuv420p", .quarter, 8, false), ("yuvj422p", .half, 8, false),
      ("yuva444p12le", .full, 12, true), ("yuv444p10msbbe", .full, 10, false),
      ("yuv440p", .full, 8, false), ("yuv410p", .quarter, 8, false),
      ("yuvj411p", .strip, 8, false), ("uyyvyy411", .strip, 8, false),
      ("nv12", .quarter, 8, false), ("nv16", .half, 8, false), ("nv20le", .half, 10, false),
      ("nv24", .full, 8, false), ("p010le", .quarter, 10, false), ("p016be", .quarter, 16, false),
      ("p210le", .half, 10, false), ("p412le", .full, 12, false), ("y210le", .half, 10, false),
      ("y216be", .half, 16, false), ("xv30le", .full, 10, false), ("xv36be", .full, 12, false),
      ("v30xle", .full, 10, false), ("yuyv422", .half, 8, false), ("vuya", .full, 8, true),
      ("vuyx", .full, 8, false), ("vyu444", .full, 8, false), ("ayuv64le", .full, 16, true),
      ("uyva", .full, 8, true), ("gray", .gray, 8, false), ("gray10le", .gray, 10, false),
      ("grayf32be", .gray, 16, false), ("ya8", .gray, 8, true), ("ya16be", .gray, 16, true),
      ("monow", .gray, 1, false), ("monob", .gray, 1, false), ("pal8", .rgb, 8, true),
      ("rgb24", .rgb, 8, false), ("rgb565le", .rgb, 8, false), ("rgb48be", .rgb, 16, false),
      ("bgra64le", .rgb, 16, true), ("argb", .rgb, 8, true), ("0rgb", .rgb, 8, false),
      ("rgb0", .rgb, 8, false), ("gbrp", .rgb, 8, false), ("gbrap12be", .rgb, 12, true),
      ("gbrpf32le", .rgb, 16, false), ("rgbaf16le", .rgb, 16, true), ("x2rgb10le", .rgb, 10, false),
      ("xyz12le", .rgb, 12, false), ("bayer_rggb16le", .rgb, 16, false),
      ("rgb96le", .rgb, 16, false),
    ] as [(String, SampleFormat.Colors, Int, Bool)])
  func namesSayColorsBitsAndAlpha(
    name: String, colors: SampleFormat.Colors, bits: Int, hasAlpha: Bool
  ) {
    let format = SampleFormat(name)
    #expect(
      format.colors == colors && format.bits == bits && format.hasAlpha == hasAlpha, "\(format)")
  }

  @Test("a format's name keeps chroma and bits") func formatsThatAreReadKeepTheirNames() {
    for chroma in [Y4MHeader.Chroma.quarter, .half, .full, .none] {
      for bits in [8, 10, 12] {
        let format = SampleFormat(SampleFormat.name(chroma, bits: bits))
        #expect(format.chroma(ofRGB: .strip) == chroma && format.bits == bits)
      }
    }
  }
}
