import DepthImages
import Testing

@testable import DepthVideo

/// The motion of blocks, and the resulting motion of pixels and maps.
@Suite struct BlockMotionTests {
  /// A new vector costs more than the one gray level by which the object differs.
  @Test("a faint object keeps its motion vector") func aFaintThingGoesOnAsItMoved() {
    func picture(_ x: Int) -> [UInt8] {
      (0..<16 * 16).map { $0 / 16 == 7 && (x..<x + 5).contains($0 % 16) ? 51 : 50 }
    }
    var motion = BlockMotion(height: 16, width: 16, vectors: [SIMD2(4, 0)])
    motion.follow(picture(3), from: picture(7))
    #expect(motion.vectors == [SIMD2(4, 0)])
    var still = BlockMotion(height: 16, width: 16)
    still.follow(picture(3), from: picture(7))
    #expect(still.vectors == [SIMD2(0, 0)])
  }

  /// Aperiodic noise, the gray level of a pixel.
  private func texture(_ y: Int, _ x: Int) -> UInt8 {
    var z = UInt64(y * 1009 + x) &* 0x9E37_79B9_7F4A_7C15
    z = (z ^ z >> 29) &* 0xBF58_476D_1CE4_E5B9
    return UInt8(truncatingIfNeeded: z >> 40)
  }

  /// Outlines of objects cross the square blocks.
  @Test(
    "a pixel beside a moving block may move with the block",
    arguments: [(14, 5), (17, 5), (5, 14), (5, 17)])
  func pixelsBesideABlockMayMoveWithIt(y: Int, x: Int) {
    let old = (0..<32 * 32).map { texture($0 / 32, $0 % 32) }
    let new = (0..<32 * 32).map { texture($0 / 32 + 3, $0 % 32 + 2) }
    // The pixel's own block lacks this motion, but the neighboring block has it.
    let own = y / 16 * 2 + x / 16
    let beside = y >= 14 ? own ^ 2 : own ^ 1
    var vectors = [SIMD2<Int32>](repeating: .zero, count: 4)
    vectors[beside] = SIMD2(2, 3)
    let motion = BlockMotion(height: 32, width: 32, vectors: vectors)
    #expect(motion.vector(y: y, x: x, new, from: old) == SIMD2(2, 3))
  }

  @Test("depth follows a tilt as exactly as a pan") func tiltMovesAsPan() throws {
    let size = 48
    func photo(_ pan: Int, isDown: Bool) -> Image {
      Image(
        height: 4 * size, width: 4 * size,
        pixels: (0..<16 * size * size).flatMap { pixel -> [UInt8] in
          let (y, x) = (pixel / (4 * size), pixel % (4 * size))
          let (along, beside) = isDown ? (y, x) : (x, y)
          return [UInt8](repeating: texture(beside / 6, (along + pan) / 6), count: 3)
        })
    }
    func moved(isDown: Bool) throws -> [Float] {
      let depth = DepthMap(
        height: size, width: size, unit: .metres,
        values: (0..<size * size).map { Float(1 + (isDown ? $0 / size : $0 % size)) })
      var propagation = DepthPropagation()
      propagation.keep(depth, photo: photo(0, isDown: isDown))
      let found = propagation.moved(to: photo(6, isDown: isDown))
      return try #require(found).values
    }
    let (down, across) = (try moved(isDown: true), try moved(isDown: false))
    let middle = (8..<size - 8).flatMap { y in (8..<size - 8).map { (y, $0) } }
    let same = middle.count { y, x in down[y * size + x] == across[x * size + y] }
    #expect(same * 100 > 97 * middle.count, "\(same) of \(middle.count)")
    // Six pixels of the photo are 1.5 pixels of the map.
    let right = middle.count { y, x in across[y * size + x] == Float(1 + x + 2) }
    #expect(right * 100 > 97 * middle.count, "\(right) of \(middle.count)")
  }

  private func gray(_ level: UInt8) -> Image {
    Image(height: 8, width: 8, pixels: .init(repeating: level, count: 192))
  }

  /// A lamp that is switched on must not reset the temporal filter.
  @Test("only a large change of light is a cut") func aLittleMoreLightIsNoCut() {
    var motion = FilmMotion()
    _ = motion.next(gray(50))
    #expect(!motion.next(gray(65)).isCut)
    #expect(motion.next(gray(90)).isCut)
  }

  @Test("a flat wall's noise is not stretched to all grays") func noiseOfAFlatWallIsNotStretched() {
    let wall = DepthMap(
      height: 10, width: 10, unit: .metres, values: (0..<100).map { $0 % 2 == 0 ? 2 : 2.002 })
    var range = PictureRange()
    let found = range.next(wall, isCut: true)
    #expect(found.upperBound >= found.lowerBound * 1.0099)
  }

  @Test(
    "the scale of a frame changes at most twofold",
    arguments: [(5, 2), (0.1, 0.5), (1.5, 1.5)] as [(Float, Float)])
  func scalesChangeTwofoldAtMost(factor: Float, slope: Float) {
    let line = SteadyLine(from: [0, 1, 2], to: [0, factor, 2 * factor], at: [0, 1, 2])
    #expect(abs(line.slope - slope) < 1e-6)
    #expect(abs(line.intercept - (factor - slope)) < 1e-6)
  }

  @Test("equal distances leave the scale at 1") func oneValueGivesNoScale() {
    let line = SteadyLine(from: [3, 3, 3], to: [1, 2, 3], at: [0, 1, 2])
    #expect(line.slope == 1 && abs(line.intercept + 1) < 1e-6)
  }
}
