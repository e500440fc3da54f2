import FilmFiles
import StereoPhotos
import ViewSynthesis

extension StereoFormat {
  /// The packing of views in a film's frames.
  var packing: ViewPacking {
    switch self {
    case .sideBySide, .sideBySideHalf:
      ViewPacking(matroska: "left_right", box: 2, arrangement: 3)
    case .crossEyed: ViewPacking(matroska: "right_left")
    case .overUnder, .overUnderHalf:
      ViewPacking(matroska: "top_bottom", box: 1, arrangement: 4)
    case .rowInterleaved: ViewPacking(matroska: "row_interleaved_lr", arrangement: 2)
    case .columnInterleaved: ViewPacking(matroska: "col_interleaved_lr", arrangement: 1)
    case .anaglyph(.greenMagenta): ViewPacking(matroska: "anaglyph_green_magenta")
    case .anaglyph(.amberBlue): ViewPacking()
    case .anaglyph: ViewPacking(matroska: "anaglyph_cyan_red")
    default: ViewPacking()
    }
  }
}
