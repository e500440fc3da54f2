import StereoPhotos
import ViewSynthesis

/// Names and numbers by which films say how views are packed.
extension StereoFormat {
  /// Matroska's name of the layout, as ffmpeg spells it; `nil` for one view.
  var matroskaMode: String? {
    switch self {
    case .sideBySide, .sideBySideHalf: "left_right"
    case .crossEyed: "right_left"
    case .overUnder, .overUnderHalf: "top_bottom"
    case .rowInterleaved: "row_interleaved_lr"
    case .columnInterleaved: "col_interleaved_lr"
    case .anaglyph(.greenMagenta): "anaglyph_green_magenta"
    case .anaglyph(.amberBlue): nil
    case .anaglyph: "anaglyph_cyan_red"
    default: nil
    }
  }

  /// The number of the box `st3d`; `nil` for layouts that it does not know.
  var isoMode: UInt8? {
    switch self {
    case .overUnder, .overUnderHalf: 1
    case .sideBySide, .sideBySideHalf: 2
    default: nil
    }
  }

  /// The number of the frame packing arrangement of H.264, table D-8; `nil` for layouts that it does not know.
  var framePacking: Int? {
    switch self {
    case .columnInterleaved: 1
    case .rowInterleaved: 2
    case .sideBySide, .sideBySideHalf: 3
    case .overUnder, .overUnderHalf: 4
    default: nil
    }
  }
}
