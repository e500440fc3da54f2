import DepthBase
import DepthImages
import Testing
import _TestSupport

@testable import ViewSynthesis

/// Stretched parallax and smoothed gaps have the references' bits on all instruction sets.
@Suite struct RowKernelTests {
  @Test(
    "stretched parallax equals the reference",
    arguments: [(1, 1, 1, 5), (2, 3, 5, 9), (7, 19, 11, 64), (4, 4, 4, 4)])
  func stretchedParallax(size: (height: Int, width: Int, toHeight: Int, toWidth: Int)) {
    let map = MadeUpPictures.values(size.height * size.width).map { Int32($0 * 8000) - 4000 }
    func stretched(_ isa: InstructionSet) -> [Int32] {
      let upsampler = ParallaxUpsampler(
        height: size.height, width: size.width, frameHeight: size.toHeight,
        frameWidth: size.toWidth, isa: isa)
      var blended = [Float](repeating: 0, count: size.width)
      return (0..<size.toHeight).flatMap { y in
        var row = [Int32](repeating: 0, count: size.toWidth)
        upsampler.row(y, of: map, blended: &blended, into: &row)
        return row
      }
    }
    let first = stretched(.baseline)
    let expected = ReferenceViews.stretched(
      map, height: size.height, width: size.width, toHeight: size.toHeight, toWidth: size.toWidth)
    expectClose(first.map(Double.init), expected, absolute: 0.501)
    for isa in InstructionSet.supported { #expect(stretched(isa) == first) }
  }

  @Test("smoothed gaps equal the reference", arguments: InstructionSet.supported)
  func smoothedGaps(isa: InstructionSet) {
    for (height, width) in [(1, 3), (4, 12), (30, 41)] {
      let pixels = MadeUpPictures.photo(height: height, width: width).pixels
      // Gaps have all lengths, and one gap is a whole row.
      let shares = MadeUpPictures.values(height * width)
      let isHole = (0..<height * width).map { $0 / width == 2 || shares[$0] < 0.6 }
      let holes = isHole.map { $0 ? UInt8(255) : 0 }
      for y in 0..<height {
        var start = 0
        while start < width {
          guard isHole[y * width + start] else {
            start += 1
            continue
          }
          var end = start
          while end < width, isHole[y * width + end] { end += 1 }
          let sides = (start > 0 && start % 3 != 0, end < width)
          let run = HoleRun(
            row: y, start: start, end: end, takesLeft: sides.0, takesRight: sides.1)
          var found = [UInt8](repeating: 0, count: 3 * (end - start))
          var span = found.mutableSpan
          ViewKernels(isa).smoothHole(
            run, width: width, pixels: pixels.span, holes: holes.span, into: &span)
          let expected = (start..<end).flatMap { x in
            ReferenceViews.smoothed(
              row: y, column: x,
              distance: min(sides.0 ? x - start : .max, sides.1 ? end - 1 - x : .max),
              height: height, width: width, pixels: pixels, holes: holes)
          }
          expectClose(found.map(Double.init), expected, absolute: 0.501)
          start = end
        }
      }
    }
  }

  /// Sides that differ by at most one pixel of parallax are one wall behind a moved pole. Other
  /// gaps are filled only from the farther side.
  @Test(
    "a gap between sides of equal parallax is filled from both",
    arguments: [
      (0, 0, true, true), (64, 0, true, true), (0, 64, true, true), (65, 0, false, true),
      (0, 65, true, false),
    ])
  func wallsContinueOnBothSidesOfAPole(left: Int32, right: Int32, takesLeft: Bool, takesRight: Bool)
    throws
  {
    let shift = (0..<40).map { $0 < 15 ? left : $0 < 20 ? 640 : right }
    var seen = SeenLine(width: 40, margin: 16)
    ViewKernels(.current).warpLine(stretch: 128, shift, into: &seen)
    let start = try #require((10..<40).first { seen[$0] < 0 })
    let end = try #require((start..<40).first { seen[$0] >= 0 })
    let run = HoleBackground(seen: seen, shift: shift, mirrored: false)
      .run(row: 0, start: start, end: end)
    #expect(run.takesLeft == takesLeft && run.takesRight == takesRight)
  }

  @Test("the color of a gap changes evenly from side to side")
  func gapsChangeFromOneSidesColorToTheOthers() {
    var pixels: [UInt8] = [0, 10, 100, 0, 0, 0, 0, 0, 0, 100, 20, 0]
    var span = pixels.mutableSpan
    HoleRun(row: 0, start: 1, end: 3, takesLeft: true, takesRight: true)
      .fill(&span, stretched: false)
    // Each value is the nearest level.
    #expect(pixels == [0, 10, 100, 33, 13, 67, 67, 17, 33, 100, 20, 0])
  }
}
