import FilmFiles
import StereoPhotos
import ViewSynthesis

extension StereoFormat {
  /// The packing of views in a film's frames.
  var packing: ViewPacking {
    switch self {
    case .sideBySide: ViewPacking(matroska: "left_right", box: 2, arrangement: 3)
    case .sideBySideHalf:
      ViewPacking(matroska: "left_right", box: 2, arrangement: 3, halved: .width)
    case .crossEyed: ViewPacking(matroska: "right_left")
    case .overUnder: ViewPacking(matroska: "top_bottom", box: 1, arrangement: 4)
    case .overUnderHalf:
      ViewPacking(matroska: "top_bottom", box: 1, arrangement: 4, halved: .height)
    case .rowInterleaved:
      ViewPacking(matroska: "row_interleaved_lr", arrangement: 2, halved: .height)
    case .columnInterleaved:
      ViewPacking(matroska: "col_interleaved_lr", arrangement: 1, halved: .width)
    case .anaglyph(.greenMagenta): ViewPacking(matroska: "anaglyph_green_magenta")
    case .anaglyph(.amberBlue): ViewPacking()
    case .anaglyph: ViewPacking(matroska: "anaglyph_cyan_red")
    default: ViewPacking()
    }
  }
}
