/// The packing of two views in a frame, by the names and numbers of containers and codecs.
package struct ViewPacking: Sendable {
  /// Matroska's name of the layout, as ffmpeg spells it; `nil` for one view.
  let matroska: String?
  /// The number of the box `st3d`; `nil` for layouts that it does not know.
  let box: UInt8?
  /// The number of the frame packing arrangement of H.264, table D-8; `nil` for layouts that it does not know.
  let arrangement: Int?

  package init(matroska: String? = nil, box: UInt8? = nil, arrangement: Int? = nil) {
    (self.matroska, self.box, self.arrangement) = (matroska, box, arrangement)
  }

  /// Whether neighboring columns or rows are of different views.
  var isInterleaved: Bool { arrangement == 1 || arrangement == 2 }
}
