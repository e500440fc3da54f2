import StereoPhotos
import Testing

@testable import DepthCommands
@testable import FilmFiles

/// The tags that tell players how a film's frames hold two views.
@Suite struct ViewPackingTests {
  /// > Source: Matroska, StereoMode; Google, “Spherical Video V2 RFC”, box `st3d`: 1 top and bottom, 2 left and right; ITU-T
  /// > H.264, table D-8: 1 columns, 2 rows, 3 side by side, 4 top and bottom.
  @Test(
    "packings have the numbers of their standards",
    arguments: [
      (.sideBySide, "left_right", 2, 3, nil), (.sideBySideHalf, "left_right", 2, 3, .width),
      (.crossEyed, "right_left", nil, nil, nil), (.overUnder, "top_bottom", 1, 4, nil),
      (.overUnderHalf, "top_bottom", 1, 4, .height),
      (.rowInterleaved, "row_interleaved_lr", nil, 2, .height),
      (.columnInterleaved, "col_interleaved_lr", nil, 1, .width), (.left, nil, nil, nil, nil),
      (.right, nil, nil, nil, nil),
    ] as [(StereoFormat, String?, UInt8?, Int?, ViewPacking.Side?)])
  func packingsHaveTheirNumbers(
    format: StereoFormat, matroska: String?, box: UInt8?, arrangement: Int?,
    halved: ViewPacking.Side?
  ) {
    let packing = format.packing
    #expect(packing.matroska == matroska && packing.box == box)
    #expect(packing.arrangement == arrangement && packing.halved == halved)
  }
}
