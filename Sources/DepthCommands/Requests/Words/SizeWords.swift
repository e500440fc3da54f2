import DepthImages
import DepthRefinement
import ViewSynthesis

/// The size of a map, such as `photo`, `network` or `640x480`.
struct MapSize: RequestWord {
  static let expected = "photo, network or a size such as 640x480"
  let word: String
  let resolution: OutputResolution

  init?(word: String) {
    guard let resolution = OutputResolution(word) else { return nil }
    (self.word, self.resolution) = (word, resolution)
  }
}

/// A grid such as `8x6`, columns first.
extension Grid: RequestWord {
  static var expected: String { "columns and rows such as 8x6" }
  var word: String { "\(columns)x\(rows)" }

  init?(word: String) { self.init(word) }
}

/// A dilation in pixels, across and down, such as `2x1`.
struct Dilation: RequestWord {
  static let expected = "pixels across and down such as 2x1, 0 to 64 each"
  let word: String
  let value: StereoOptions.EdgeDilation

  init?(word: String) {
    guard let pixels = Grid(word, counts: StereoOptions.EdgeDilation.widths) else { return nil }
    (self.word, value) = (word, .init(across: pixels.columns, down: pixels.rows))
  }
}
