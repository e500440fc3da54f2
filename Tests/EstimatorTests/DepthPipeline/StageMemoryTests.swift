import DepthGeometry
import DepthPages
import DepthPipeline
import Foundation
import ProcessLimits
import Testing
import _TestSupport

/// Estimates of each stage's memory against what was measured.
@Suite(.offPool) struct StageMemoryTests {
  /// A photo that is decoded row by row, as PNG and most JPEG files are.
  private struct Photo: UndecodedPhoto {
    let width, height: Int
    let decodingBytesPerPixel = 3.0
  }

  /// Peak resident size of `depth export` of photos of 12 megapixels, in MB: a room as estimated, and a depth file of
  /// waves with noise.
  @Test(arguments: [
    (true, false, false, 310), (true, false, true, 975), (true, true, false, 592),
    (false, false, false, 841), (false, false, true, 954),
  ])
  func estimatesOfGeometryAreAboveThePeakAndBelowTwiceIt(
    isSmooth: Bool, isCloud: Bool, keepsAll: Bool, peak: Int
  ) {
    let need = MemoryNeed.geometry(
      of: Photo(width: 4000, height: 3000), networkBytes: isSmooth ? 26_000_000 : 0,
      isCloud: isCloud,
      keepsAllPixels: keepsAll, isSmooth: isSmooth)
    #expect((peak * 1_000_000..<2 * peak * 1_000_000).contains(need.bytes), "\(need.bytes)")
  }

  /// The same for `depth export -o page.html`: 224 MB.
  @Test func estimatesOfPagesAreAboveThePeakAndBelowTwiceIt() {
    let need = MemoryNeed.page(of: Photo(width: 4000, height: 3000), networkBytes: 26_000_000)
    #expect((224_000_000..<448_000_000).contains(need.bytes), "\(need.bytes)")
  }

  /// Peak resident size beyond that of a photo of one pixel, in MB: `/usr/bin/time -f %M depth predict
  /// PHOTO -o FILE …` with the compact network's 24 MB of activations, on photos with noise.
  @Test(arguments: [
    (4000, 3000, 1, false, 121), (8000, 6000, 1, false, 464), (8000, 6000, 0, true, 729),
    (8000, 6000, 1, true, 1137), (16_320, 12_240, 1, false, 1864), (16_320, 12_240, 1, true, 4603),
  ])
  func estimatesOfMapsAreAboveThePeakAndBelowTwiceIt(
    width: Int, height: Int, refined: Int, hasView: Bool, peak: Int
  ) {
    let (rows, columns) = refined == 1 ? (height, width) : (128, 160)
    var files = MemoryNeed.MapFiles()
    files.hasView = hasView
    let need = MemoryNeed.map(
      of: Photo(width: width, height: height), networkBytes: 24_000_000, source: (128, 160),
      result: (rows, columns), files: files)
    #expect((peak * 1_000_000..<2 * peak * 1_000_000).contains(need.bytes - 48_000_000))
  }

  /// Sizes that overflow nothing and fit nowhere.
  @Test func absurdSizesAreNumbersToo() {
    let need = MemoryNeed.map(
      of: Photo(width: 10, height: 10), networkBytes: 0, source: (1, 1),
      result: (1 << 40, 1 << 40), files: .init())
    #expect(need.bytes == 1_000_000_000_000_000_000)
  }
}
