/// The packing of two views in a frame, as names and numbers of containers and codecs.
package struct ViewPacking: Sendable {
  /// Matroska's name of the layout, in ffmpeg's spelling; `nil` for one view.
  let matroska: String?
  /// The stereo mode of the `st3d` box; `nil` for a layout without such a mode.
  let box: UInt8?
  /// The frame packing arrangement of H.264, table D-8; `nil` for a layout without an arrangement.
  let arrangement: Int?
  /// The side along which each view has half of the samples and is stretched to the frame's size; `nil` for full
  /// views.
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

  /// Whether neighboring columns or rows belong to different views.
  var isInterleaved: Bool { arrangement == 1 || arrangement == 2 }

  /// The layout's name in a container; `nil` for one view or an unsupported layout.
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
