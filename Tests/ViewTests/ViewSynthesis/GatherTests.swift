import DepthImages
import Testing
import ViewSynthesis

/// Agreement and differences of J. Zimandl's renderers.
@Suite struct GatherTests {
  /// Depths 0 and 1 in blocks of this width, so that all shifts are whole pixels.
  private static func blocks(_ near: Range<Int>, width: Int) -> [Float] {
    (0..<width).map { near.contains($0) ? 1 : 0 }
  }

  @Test("three scan-line renderers agree on wide objects", arguments: [4, -4])
  func allThreeScanLinesAgreeOnObjectsWiderThanTheirShift(_ shift: Int) throws {
    let depth = Self.blocks(20..<40, width: 64)
    let all = try [StereoRenderer.shiftAndFix, .gapsInOneLoop, .frontPixelLast].map {
      try $0.sources(depth: depth, maximumShift: Float(shift))
    }
    #expect(all[0] == all[1] && all[1] == all[2])
    // The object moves by 4, the wall by −4. The 8 pixels between them show the wall's last pixel.
    if shift > 0 {
      #expect(Array(all[0][24..<44]) == Array(20..<40))
      #expect(all[0][16..<24].allSatisfy { $0 == 19 })
      #expect(all[0][15] == 19 && all[0][44] == 48)
    }
  }

  @Test("only shift-and-fix keeps the wall beside a thin pole")
  func scanLinesPartBehindAThinPole() throws {
    // A pole of 2 pixels moves 8 pixels against the wall. The wall on its right is visible between
    // the pole and the old place. Only shift-and-fix keeps this wall.
    let depth = Self.blocks(20..<22, width: 64)
    let (fixed, oneLoop, frontLast) = (
      try StereoRenderer.shiftAndFix.sources(depth: depth, maximumShift: 4),
      try StereoRenderer.gapsInOneLoop.sources(depth: depth, maximumShift: 4),
      try StereoRenderer.frontPixelLast.sources(depth: depth, maximumShift: 4)
    )
    #expect(oneLoop == frontLast)
    #expect(Array(fixed[16..<24]) == [19, 19, 22, 23, 24, 25, 26, 27])
    #expect(Array(frontLast[16..<24]) == [Int](repeating: 19, count: 8))
    for target in fixed.indices where !(18..<24).contains(target) {
      #expect(fixed[target] == frontLast[target])
    }
  }

  @Test("gathering equals the scan-line renderers", arguments: [4, -4])
  func searchEqualsTheScanLines(_ shift: Int) throws {
    let (height, width) = (3, 64)
    let photo = TestScenes.noise(height: height, width: width)
    let row = Self.blocks(20..<40, width: width)
    let found = gathered(
      photo.pixels, height: height, width: width, depth: row + row + row,
      increment: 1 / Float(width), maxShift: Float(shift) / Float(width), threads: 2)
    var sources = try StereoRenderer.shiftAndFix.sources(depth: row, maximumShift: Float(shift))
    // The search ends at the object's edge, but the color comes from one shift before the target.
    // The gap repeats several last pixels of the background, not just one.
    for target in shift > 0 ? 16..<24 : 36..<44 { sources[target] = target - shift }
    for y in 0..<height {
      for x in 0..<width {
        let from = (y * width + sources[x]) * 3
        #expect(
          Array(found[(y * width + x) * 3..<(y * width + x) * 3 + 3])
            == Array(photo.pixels[from..<from + 3]), "(\(y), \(x))")
      }
    }
  }

  /// The search has 11.52 steps of one pixel. The published listing's last step misses the shift of
  /// depth 0 and returns white. The last step here is this shift.
  @Test(
    "gathering keeps the color of the farthest surface",
    arguments: [5.76, -5.76, 4, 6.4, -0.3] as [Float])
  func theFarthestSurfaceKeepsItsColor(shift: Float) {
    let width = 64
    let photo = [UInt8](repeating: 7, count: width * 3)
    let depth = [Float](repeating: 0, count: width)
    let found = gathered(
      photo, height: 1, width: width, depth: depth, increment: 1 / Float(width),
      maxShift: shift / Float(width), threads: 1)
    #expect(found == photo)
  }

  @Test("the renderer gather shifts by normalized disparity")
  func rendererByNameUsesNormalizedDisparity() throws {
    let photo = TestScenes.noise(height: 4, width: 100)
    let metres = (0..<400).map { index -> Float in
      (30..<60).contains(index % 100) ? 1 : 3
    }
    var options = StereoOptions()
    options.amount = .shift(0.05)
    options.renderer = .gather
    let pair = try photo.stereoPair(
      depth: DepthMap(height: 4, width: 100, unit: .metres, values: metres), options: options)
    #expect(pair.left.pixels[35 * 3..<65 * 3] == photo.pixels[30 * 3..<60 * 3])
    #expect(pair.right.pixels[25 * 3..<55 * 3] == photo.pixels[30 * 3..<60 * 3])
  }
}
