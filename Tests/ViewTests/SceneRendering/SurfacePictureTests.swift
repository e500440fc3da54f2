import DepthImages
import Testing

@testable import SceneRendering

@Suite struct SurfacePictureTests {
  /// Black and white columns, with a red upper left corner of 2 × 2.
  private let picture = SurfacePicture(
    Image(
      height: 8, width: 16,
      pixels: (0..<128).flatMap { k -> [UInt8] in
        k / 16 < 2 && k % 16 < 2 ? [255, 0, 0] : k % 2 == 0 ? [0, 0, 0] : [255, 255, 255]
      }))

  @Test("a surface picture is bilinear between texels") func isBilinearBetweenTexels() {
    func gray(_ column: Float) -> Float {
      picture.color(at: [column / 16, 0.2], footprint: 0).y
    }
    #expect(gray(8.5) == 0 && gray(9.5) == 1)
    #expect(abs(gray(8.75) - 0.25) < 1e-4 && abs(gray(9) - 0.5) < 1e-4)
  }

  @Test("the first row of a surface picture is on top") func itsFirstRowIsUp() {
    #expect(picture.color(at: [1 / 16, 1 - 1 / 8], footprint: 0) == [1, 0, 0])
    #expect(picture.color(at: [1 / 16, 1 / 8], footprint: 0) != [1, 0, 0])
  }

  @Test("a surface picture repeats beyond its edges") func repeatsBeyondItsEdges() {
    for (x, y) in [(Float(0.2), Float(0.7)), (0.01, 0.99), (0.6, 0)] {
      let inside = picture.color(at: [x, y], footprint: 0)
      for shift in [SIMD2<Float>(1, 0), [-1, 0], [0, 3], [-2, -1]] {
        let outside = picture.color(at: SIMD2(x, y) + shift, footprint: 0)
        #expect(abs((outside - inside).max()) < 1e-3)
      }
    }
  }

  @Test("a surface picture is averaged over a pixel's area") func theAreaOfAPixelIsAveraged() {
    // No stripe remains if a pixel covers four columns.
    for x in stride(from: Float(0.3), to: 0.9, by: 0.017) {
      let color = picture.color(at: [x, 0.3], footprint: 4 / 16)
      #expect(abs(color.x - 0.5) < 0.01)
    }
  }
}
