import DepthImages
import Testing
import ViewSynthesis

/// Colors that `Tools/training/goldens/anaglyph.py` computed from the published matrices.
@Suite struct AnaglyphTests {
  /// Left and right colors: mid gray, white, the primaries, and two unequal pairs.
  static let patches: [(left: [UInt8], right: [UInt8])] = [
    ([128, 128, 128], [128, 128, 128]), ([255, 255, 255], [255, 255, 255]),
    ([255, 0, 0], [255, 0, 0]), ([0, 255, 0], [0, 255, 0]), ([0, 0, 255], [0, 0, 255]),
    ([200, 30, 90], [20, 180, 60]), ([12, 240, 250], [250, 8, 140]),
  ]

  // swift-format-ignore
  static let expected: [(kind: Anaglyph, colors: [[UInt8]])] = [
    (.redCyan, [[128, 128, 128], [255, 255, 255], [175, 152, 0], [173, 218, 0], [110, 0, 255], [139, 151, 0], [194, 146, 134]]),
    (.greenMagenta, [[128, 128, 128], [255, 255, 255], [182, 141, 0], [195, 211, 62], [0, 79, 250], [145, 117, 75], [157, 216, 137]]),
    (.amberBlue, [[128, 128, 128], [255, 255, 255], [255, 0, 67], [0, 252, 29], [145, 64, 247], [201, 49, 91], [85, 238, 123]]),
    (.halfColor, [[128, 128, 128], [255, 255, 255], [127, 0, 0], [220, 255, 0], [76, 0, 255], [104, 180, 60], [217, 8, 140]]),
    (.gray, [[128, 128, 128], [255, 255, 255], [127, 127, 127], [220, 220, 220], [76, 76, 76], [104, 156, 156], [217, 130, 130]]),
    (.color, [[128, 128, 128], [255, 255, 255], [255, 0, 0], [0, 255, 0], [0, 0, 255], [200, 180, 60], [12, 8, 140]]),
  ]

  @Test("each kind of anaglyph has expected colors") func everyKindHasExpectedColors() {
    #expect(Set(Self.expected.map(\.kind)) == Set(Anaglyph.allCases))
  }

  @Test("anaglyph colors follow the published matrices", arguments: expected.indices)
  func colorsAreThoseOfThePublishedMatrices(index: Int) {
    let (kind, colors) = Self.expected[index]
    let count = Self.patches.count
    let noHoles = HoleMask(height: 1, width: count, values: [UInt8](repeating: 0, count: count))
    let pair = StereoPair(
      left: Image(height: 1, width: count, pixels: Self.patches.flatMap(\.left)),
      right: Image(height: 1, width: count, pixels: Self.patches.flatMap(\.right)),
      leftHoles: noHoles, rightHoles: noHoles)
    let found = pair.anaglyph(kind).pixels
    for (patch, color) in colors.enumerated() {
      for channel in 0..<3 {
        // The table of encoded values has 16384 steps. Next to black, a step is a fifth of a byte.
        let difference = abs(Int(found[patch * 3 + channel]) - Int(color[channel]))
        #expect(difference <= 1, "\(kind.rawValue), patch \(patch), channel \(channel)")
      }
    }
    // Within three digits, the rows of each pair of matrices sum to 1, so gray stays gray.
    #expect(Array(found[..<6]) == [128, 128, 128, 255, 255, 255], "\(kind.rawValue)")
  }
}
