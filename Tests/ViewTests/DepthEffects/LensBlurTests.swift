import DepthBase
import DepthErrors
import DepthImages
import Foundation
import Testing
import _TestSupport

@testable import DepthEffects

/// The rules of lens blur for any photo.
@Suite struct LensBlurTests {
  private static func gray(_ level: UInt8, height: Int, width: Int) -> [UInt8] {
    [UInt8](repeating: level, count: height * width * 3)
  }

  /// Two planes: `near` metres away on the left of `edge`, and `far` metres on the right.
  private static func planes(
    near: Float, far: Float, edge: Int, height: Int, width: Int
  ) -> DepthMap {
    DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height * width).map { $0 % width < edge ? near : far })
  }

  private static func lens(radius: Double, width: Int) -> Lens {
    Lens(.radius(radius / Double(width)))
  }

  @Test(
    "lens blur equals its reference on every instruction set",
    arguments: [(1, 1), (1, 9), (7, 5), (23, 41), (34, 66)])
  func equalsItsReference(size: (Int, Int)) throws {
    let (height, width) = size
    let photo = MadeUpPictures.photo(height: height, width: width)
    let noise = MadeUpPictures.values(height * width)
    // The map has slants, steps and single pixels.
    let levels = (0..<height * width).map { i -> Int16 in
      let (y, x) = (i / width, i % width)
      let step = (x / 11 + y / 9) % 3 == 0 ? 24 : x - y / 2 - 12
      return Int16(min(max(noise[i] > 0.97 ? -22 : step, -24), 24))
    }
    let map = DefocusMap(height: height, width: width, step: 0.25, levels: levels)
    let pictures = InstructionSet.supported.flatMap { isa in
      let scatter = LensScatter(photo, map, lens: Lens(), isa: isa, threads: 1)
      return [1, 2, 5].map { scatter.pixels(threads: $0) }
    }
    #expect(pictures.allSatisfy { $0 == pictures[0] })
    let expected = ReferenceLensBlur(
      photo: photo, map: map, layers: DefocusLayers(largest: map.largest, step: map.step)
    ).pixels()
    expectClose(pictures[0].map(Double.init), expected, absolute: 0.75)
  }

  @Test(
    "defocus levels are rounded and clamped",
    arguments: InstructionSet.supported, [1, 15, 64, 201])
  func levelsAndEdges(isa: InstructionSet, width: Int) {
    let kernels = EffectKernels(isa)
    // Halves are rounded away from 0. Infinite and huge numbers are clamped.
    let depth = (0..<width).map {
      [0.5, -0.5, 1.5, 2.49, -7.51, 1e30, -.infinity, 12][$0 % 8] as Float
    }
    var found = [Int16](repeating: 0, count: width)
    var span = found.mutableSpan
    kernels.defocusLevels(
      of: depth.span, reciprocal: false, slope: 1, intercept: 0, limit: 20.7, into: &span)
    #expect(found == (0..<width).map { [1, -1, 2, 2, -8, 20, -20, 12][$0 % 8] })
    let rows = (0..<3).map { seed in
      MadeUpPictures.values(width, seed: UInt64(seed + 1)).map { Int16($0 * 30) - 15 }
    }
    for edge in [0, 12, 25] {
      let (above, row, below) = (rows[0], rows[1], rows[2])
      let columns = kernels.columnsBesideFarther(
        row.span, above: above.span, below: below.span, edge: edge)
      let expected = (0..<width).filter { x in
        (max(x - 1, 0)...min(x + 1, width - 1)).contains { column in
          rows.contains { Int($0[column]) < Int(rows[1][x]) - edge }
        }
      }
      #expect(columns.map(Int.init) == expected)
    }
  }

  /// Pixels beyond the first tile equal pixels in the interior of a tile.
  @Test("lens blur has no seam between tiles") func tilesDoNotShow() throws {
    let (height, width) = (LensScatter.tileHeight + 20, LensScatter.tileWidth + 30)
    let photo = MadeUpPictures.photo(height: height, width: width)
    let levels = (0..<height * width).map { Int16(($0 % width / 40) % 3 * 20 - 20) }
    let map = DefocusMap(height: height, width: width, step: 0.25, levels: levels)
    let whole = LensScatter(photo, map, lens: Lens(), threads: 2).pixels(threads: 2)
    // The part begins just before the end of a tile.
    let (top, left) = (LensScatter.tileHeight - 24, LensScatter.tileWidth - 32)
    let (rows, columns) = (height - top, width - left)
    func cut<T>(_ values: [T], _ channels: Int) -> [T] {
      (top..<height).flatMap { (y: Int) -> ArraySlice<T> in
        let row = y * width
        return values[(row + left) * channels..<(row + width) * channels]
      }
    }
    let part = LensScatter(
      Image(height: rows, width: columns, pixels: cut(photo.pixels, 3)),
      DefocusMap(height: rows, width: columns, step: 0.25, levels: cut(levels, 1)), lens: Lens(),
      threads: 1
    ).pixels(threads: 1)
    let expected = cut(whole, 3)
    for y in 12..<rows - 12 {
      for x in (12 * 3)..<(columns - 12) * 3 {
        let (a, b) = (part[y * columns * 3 + x], expected[y * columns * 3 + x])
        #expect(abs(Int(a) - Int(b)) <= 1, "\(y), \(x)")
      }
    }
  }

  @Test("lens blur of radius 0 or of a flat map changes nothing")
  func nothingIsBlurredWithoutRadius() throws {
    let photo = testImage(height: 20, width: 30)
    let depth = Self.planes(near: 1, far: 3, edge: 12, height: 20, width: 30)
    #expect(
      try photo.lensBlur(depth: depth, focus: .normalized(0.2), lens: Lens(.radius(0))) == photo)
    let flat = Self.planes(near: 2, far: 2, edge: 12, height: 20, width: 30)
    #expect(try photo.lensBlur(depth: flat, focus: .normalized(0.2)) == photo)
  }

  /// Dark seams, bright rings and uncovered pixels would be visible in one color.
  @Test("lens blur leaves a photo of one color unchanged", arguments: [0.0, 0.3, 0.8, 1])
  func oneColorStaysOneColor(focus: Double) throws {
    let (height, width) = (60, 90)
    let photo = Image(
      height: height, width: width, pixels: Self.gray(119, height: height, width: width))
    let noise = MadeUpPictures.values(height * width)
    let depth = DepthMap(
      height: height, width: width, unit: .metres,
      values: (0..<height * width).map { i in
        let (y, x) = (i / width, i % width)
        if noise[i] > 0.99 { return 0.7 }
        return (x / 17 + y / 13) % 2 == 0 ? 1 + Float(y) / 30 : 4
      })
    let result = try photo.lensBlur(
      depth: depth, focus: .normalized(focus), lens: Self.lens(radius: 7, width: width))
    #expect(result.pixels.allSatisfy { abs(Int($0) - 119) <= 1 })
  }

  /// A lamp behind or in front of the focus becomes a flat disc.
  @Test("a lamp becomes a disc of its light and radius", arguments: [3.0, 5.5, 9], [true, false])
  func aLampBecomesADisc(radius: Double, isBehind: Bool) throws {
    let side = 101
    var pixels = Self.gray(0, height: side, width: side)
    for y in 49...51 {
      for x in 49...51 { for c in 0..<3 { pixels[(y * side + x) * 3 + c] = 255 } }
    }
    let photo = Image(height: side, width: side, pixels: pixels)
    // Only the corner is in focus, at the other end of the range.
    let depth = DepthMap(
      height: side, width: side, unit: .metres,
      values: (0..<side * side).map { $0 == 0 ? (isBehind ? 1 : 4) : (isBehind ? 4 : 1) })
    let result = try photo.lensBlur(
      depth: depth, focus: .normalized(isBehind ? 1 : 0),
      lens: Self.lens(radius: radius, width: side))
    let light = (0..<side * side).map { MaskEffectsTests.decoded(result.pixels[$0 * 3]) }
    let energy = light.reduce(0, +)
    #expect(abs(energy / 9 - 1) < 0.01, "\(energy)")
    var moment = 0.0
    let middle = light[50 * side + 50]
    for y in 0..<side {
      for x in 0..<side {
        let squared = Double((y - 50) * (y - 50) + (x - 50) * (x - 50))
        moment += light[y * side + x] * squared / energy
        // The disc is flat inside and dark outside, without a ring.
        if squared.squareRoot() < radius - 3 {
          #expect(abs(light[y * side + x] / middle - 1) < 0.05)
        }
        if squared.squareRoot() > radius + 3 { #expect(light[y * side + x] == 0) }
      }
    }
    // The lamp is a square, whose second moment is 2 · 8 / 12.
    let measured = (2 * (moment - 4.0 / 3)).squareRoot()
    #expect(abs(measured - radius) < 0.3, "\(measured)")
  }

  @Test("a sharp foreground does not mix with blur") func aSharpForegroundDoesNotBleed() throws {
    let (height, width, edge) = (40, 80, 40)
    var pixels = Self.gray(0, height: height, width: width)
    for i in 0..<height * width where i % width < edge {
      for c in 0..<3 { pixels[i * 3 + c] = 255 }
    }
    let depth = Self.planes(near: 1, far: 4, edge: edge, height: height, width: width)
    let result = try Image(height: height, width: width, pixels: pixels).lensBlur(
      depth: depth, focus: .metres(1), lens: Self.lens(radius: 8, width: width))
    #expect(zip(result.pixels, pixels).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  /// A blurred white thing before sharp stripes, measured on both sides of the edge.
  @Test("the edge of a blurred foreground is the edge of a disc")
  func aBlurredForegroundSpreadsOverWhatIsBehind() throws {
    let (height, width, edge, radius) = (48, 96, 48, 8.0)
    let dark: [UInt8] = [0, 60]
    var pixels: [UInt8] = []
    for i in 0..<height * width {
      let level = i % width < edge ? 255 : dark[i / width / 3 % 2]
      pixels += [level, level, level]
    }
    let depth = Self.planes(near: 1, far: 4, edge: edge, height: height, width: width)
    let result = try Image(height: height, width: width, pixels: pixels).lensBlur(
      depth: depth, focus: .metres(4), lens: Self.lens(radius: radius, width: width))
    for y in [19, 22] {  // The centers of stripes.
      let behind = MaskEffectsTests.decoded(dark[y / 3 % 2])
      for x in edge - 10..<edge + 10 {
        // The share of a disc's area on the left of a line.
        let t = min(max((Double(edge) - 0.5 - Double(x)) / radius, -1), 1)
        let share = 0.5 + (asin(t) + t * (1 - t * t).squareRoot()) / .pi
        let found = MaskEffectsTests.decoded(result.pixels[(y * width + x) * 3])
        #expect(abs(found - (share + (1 - share) * behind)) < 0.03, "\(y), \(x)")
      }
    }
  }

  /// Hidden background is filled as far as the lens sees around an edge: six pixels, and one for
  /// the edge. Visible colors beside the edge fill it. Diagonal neighbors have less weight.
  @Test("hidden background is filled from visible neighbors")
  func hiddenBackgroundIsFilled() throws {
    let (height, width, edge) = (5, 30, 20)
    let behind: [UInt8] = [200, 40, 120, 250, 80]
    let isNear = (0..<height * width).map { $0 % width < edge }
    let photo = Image(
      height: height, width: width,
      pixels: isNear.indices.flatMap { i in
        [UInt8](repeating: isNear[i] ? 9 : behind[i / width], count: 3)
      })
    let map = DefocusMap(
      height: height, width: width, step: 0.25, levels: isNear.map { $0 ? 24 : 0 })
    let hidden = HiddenLayer(of: photo, map, threads: 1)
    let row = hidden.rowStart[2]..<hidden.rowStart[3]
    #expect(row.map { hidden.columns[$0] } == Array(12..<20))
    #expect(row.allSatisfy { hidden.levels[$0] == 0 })
    let light = behind.map(MaskEffectsTests.decoded)
    let expected = (0.7 * light[1] + light[2] + 0.7 * light[3]) / 2.4
    #expect(try abs(Double(hidden.light[#require(row.last)].x) - expected) < 1e-4)
  }
}
