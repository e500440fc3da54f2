package import DepthImages
package import DepthRefinement
package import ViewSynthesis

/// `photo`, `network` or `640x480`.
package struct MapSize: RequestWord {
  package static let expected = "photo, network or a size such as 640x480"
  package let word: String
  package let resolution: OutputResolution

  package init?(word: String) {
    guard let resolution = OutputResolution(word) else { return nil }
    (self.word, self.resolution) = (word, resolution)
  }
}

/// `8x6`, columns first.
extension Grid: RequestWord {
  package static var expected: String { "columns and rows such as 8x6" }
  package var word: String { "\(columns)x\(rows)" }

  package init?(word: String) { self.init(word) }
}

/// `2x1`, across and down.
package struct Dilation: RequestWord {
  package static let expected = "pixels across and down such as 2x1, 0 to 64 each"
  package let word: String
  package let value: StereoOptions.EdgeDilation

  package init?(word: String) {
    guard let pixels = Grid(word, counts: 0...64) else { return nil }
    (self.word, value) = (word, .init(across: pixels.columns, down: pixels.rows))
  }
}
