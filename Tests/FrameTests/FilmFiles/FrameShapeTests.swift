import DepthImages
import FrameStreams
import Testing

@testable import FilmFiles

/// Shapes of a film's frames.
@Suite struct FrameShapeTests {
  private func shape(_ width: Int, _ height: Int, _ aspect: Ratio = Ratio(1, 1)) -> FrameShape {
    FrameShape(size: PixelSize(width: width, height: height), pixelAspect: aspect)
  }

  @Test(
    "ffmpeg's line gives frame size and pixel aspect",
    arguments: [
      (
        "[Parsed_showinfo_0 @ 0x5] [info] n:   3 pts:   9 pts_time:0.1 duration:1 fmt:yuv420p cl:left sar:16/11 "
          + "s:720x576 i:P iskey:1 type:I", 720, 576, Ratio(16, 11)
      ),
      ("[info] n:0 pts:0 pts_time:0 pos:1 fmt:rgb24 sar:0/1 s:9x7 i:P", 9, 7, Ratio(0, 1)),
    ])
  func linesAreRead(line: String, width: Int, height: Int, aspect: Ratio) {
    #expect(FrameShape(line) == shape(width, height, aspect))
  }

  @Test(
    "a line without a size gives no frame shape",
    arguments: ["", "n:0 pts:0", "n:0 s:axb", "n:0 s:0x7 i:P", "n:0 s:7 i:P"])
  func otherLinesHaveNoShape(line: String) { #expect(FrameShape(line) == nil) }

  @Test(
    "a frame of another shape is fitted into the first size",
    arguments: [
      (96, 128, Ratio(1, 1), 72, 96), (128, 48, Ratio(1, 1), 128, 48),
      (64, 96, Ratio(2, 1), nil, nil), (128, 96, Ratio(1, 2), 64, 96),
      (64, 48, Ratio(1, 1), nil, nil), (64, 48, Ratio(0, 1), nil, nil),
      (4000, 3, Ratio(1, 1), 128, 1), (1, 9999, Ratio(1, 1), 1, 96),
    ] as [(Int, Int, Ratio, Int?, Int?)])
  func framesAreSetIn(width: Int, height: Int, aspect: Ratio, inWidth: Int?, inHeight: Int?) {
    let inset = shape(width, height, aspect).inset(in: shape(128, 96))
    #expect(inset?.width == inWidth && inset?.height == inHeight, "\(String(describing: inset))")
  }

  @Test("frames of unknown pixel shape have the first frame's pixel shape")
  func unknownPixelsAreLikeThoseBefore() {
    let wide = shape(128, 96, Ratio(2, 1))
    #expect(shape(64, 48, Ratio(0, 1)).inset(in: wide) == nil)
    #expect(shape(64, 48, Ratio(1, 1)).inset(in: wide) == PixelSize(width: 64, height: 96))
  }

  @Test("a note names the sizes of a film's frames") func aNoteNamesTheSizes() {
    let shapes = FrameShapes()
    _ = shapes.inset(of: shape(128, 96))
    _ = shapes.inset(of: shape(128, 96, Ratio(0, 1)))
    #expect(shapes.note == nil)
    #expect(shapes.inset(of: shape(96, 128)) == PixelSize(width: 72, height: 96))
    #expect(
      shapes.note
        == "changes its size from 128×96 to 96×128; the new film keeps the first size, with bars "
        + "beside frames of another shape")
    _ = shapes.inset(of: shape(128, 96, Ratio(16, 11)))
    #expect(shapes.note?.contains("to 96×128, 128×96 with pixels of 16:11;") == true)
    for width in 1...9 { _ = shapes.inset(of: shape(width, 9)) }
    #expect(shapes.note?.contains(" and others;") == true)
  }
}
