/// The packing of two views in a frame, by the names and numbers of containers and codecs.
package struct ViewPacking: Sendable {
  /// Matroska's name of the layout, as ffmpeg spells it; `nil` for one view.
  let matroska: String?
  /// The number of the box `st3d`; `nil` for layouts that it does not know.
  let box: UInt8?
  /// The number of the frame packing arrangement of H.264, table D-8; `nil` for layouts that it does not know.
  let arrangement: Int?
  /// The side of which each view has half of the samples, although it is shown at the size of the whole frame; `nil` for views
  /// with all samples.
  let halved: Side?

  package enum Side: Sendable {
    case width, height
  }

  package init(
    matroska: String? = nil, box: UInt8? = nil, arrangement: Int? = nil, halved: Side? = nil
  ) {
    (self.matroska, self.box, self.arrangement) = (matroska, box, arrangement)
    self.halved = halved
  }

  /// Whether neighboring columns or rows are of different views.
  var isInterleaved: Bool { arrangement == 1 || arrangement == 2 }

  /// The name of the layout for a container; `nil` for one view, and for a layout that it does not know.
  ///
  /// > Source: WebM Container Guidelines, StereoMode: 0, 1, 2, 3 and 11.
  func stereoMode(in container: FilmContainer) -> String? {
    switch container.muxer {
    case "matroska": matroska
    case "webm":
      matroska.flatMap { ["left_right", "right_left", "top_bottom"].contains($0) ? $0 : nil }
    default: nil
    }
  }
}
